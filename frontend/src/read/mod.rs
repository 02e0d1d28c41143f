//! From a normalised module to a [`Program`]: the only reader of LLVM's instructions.
//!
//! A [`Reader`] collects the threads and variables of the program, and a [`thread::ThreadReader`] turns one function
//! into an automaton. A construct that is not read becomes a [`program::model::Unsupported`] with its place; it is
//! never ignored.

mod arithmetic;
mod blocks;
mod builder;
mod calls;
mod compact;
mod control;
mod globals;
mod intrinsics;
mod leaks;
mod library;
mod lifetimes;
mod memory;
mod operands;
mod output;
mod prune;
mod reader;
mod sites;
mod survey;
mod thread;
mod types;
mod unsupported;

use std::collections::BTreeSet;

use abi::markers::ARBITRARY_METADATA;

use self::reader::Reader;
use crate::llvm::{Module, Value};
use crate::normalize::{
    WaitRole, is_of_demand, is_of_library, is_ordered, is_wide, uses_lock, wait_role,
};
use crate::options::ReadOptions;
use program::model::{Program, Property};

/// Reads a normalised module whose main function is `main`.
pub(crate) fn read(module: &Module, main: Value, name: &str, options: &ReadOptions) -> Program {
    let mut program = Reader::new(module, options, false).read(main, name);
    let mut unsupported = program.unsupported.values();
    if unsupported.any(|construct| !construct.is_of_runs) {
        let found = Reader::new(module, options, true).read(main, name);
        unsupported::complete(&mut program, found.unsupported);
    }
    program
}

/// The functions whose calls were replaced by arbitrary values.
fn arbitrary_functions(module: &Module) -> BTreeSet<String> {
    let nodes = module.named_metadata(ARBITRARY_METADATA).into_iter();
    let names = nodes.filter_map(|node| node.node_operands().into_iter().next()?);
    names.filter_map(|name| name.metadata_string()).collect()
}

impl Reader<'_> {
    fn read(mut self, main: Value, name: &str) -> Program {
        let main_template = self.template(main);
        self.read_pending(main);
        let sites = |is_meant: fn(&Module, Value) -> bool| {
            let accesses = self.site_of.iter();
            let meant = accesses.filter(|&(&access, _)| is_meant(self.module, access));
            meant.map(|(_, &site)| site).collect()
        };
        let orders = self.site_of.iter();
        let weak_orders = orders
            .filter_map(|(&access, &site)| Some((site, access.weak_order()?)))
            .collect();
        let lets_go = |module: &Module, load| wait_role(module, load) == Some(WaitRole::LetsGo);
        let has_to_wait =
            |module: &Module, load| wait_role(module, load) == Some(WaitRole::HasToWait);
        let (lock_uses, library_accesses) = (sites(uses_lock), sites(is_of_library));
        Program {
            name: name.to_owned(),
            data_model: self.module.data_model(),
            main: main_template,
            templates: self
                .templates
                .into_iter()
                .filter_map(|(_, template)| template)
                .collect(),
            globals: self.globals,
            properties: BTreeSet::from([Property::UnreachCall]),
            functions: self.functions,
            heap_sites: self.heap_sites,
            sites: self.sites,
            dominators: self.dominators,
            unsupported: self.unsupported,
            arbitrary_functions: arbitrary_functions(self.module),
            explanations: self.explanations,
            lock_uses,
            library_accesses,
            ordered_accesses: sites(is_ordered),
            wide_reads: sites(is_wide),
            weak_orders,
            demand_accesses: sites(is_of_demand),
            let_go: sites(lets_go),
            wait_checks: sites(has_to_wait),
            announcement: None,
            doubt: None,
            requirements: self.requirements,
            required_by: self.required_by,
            call_sites: self.call_sites,
            types: self.types.finish(),
            families: Vec::new(),
        }
    }

    /// Reads what was found until nothing new is found.
    fn read_pending(&mut self, main: Value) {
        loop {
            if let Some((function, id)) = self.pending_templates.pop_front() {
                let template = thread::read(self, function, id, function == main);
                self.templates[id] = Some(template);
            } else if let Some((value, id)) = self.pending_globals.pop_front() {
                self.read_initializer(value, id);
            } else if !self.add_computed_starts() {
                break;
            }
        }
        for id in self.functions.keys() {
            self.functions[id].template = self.template_of.get(&self.function_values[id]).copied();
        }
    }

    /// If a start routine is computed, every function that fits may be one. Returns whether there are new ones.
    fn add_computed_starts(&mut self) -> bool {
        let before = self.templates.len();
        if self.computed_start {
            let functions: Vec<Value> = self.function_values.values().copied().collect();
            functions
                .into_iter()
                .filter(|function| thread::may_be_start_routine(*function))
                .for_each(|function| {
                    self.template(function);
                });
        }
        self.templates.len() > before
    }
}
