//! From a normalised module to a [`Program`]: the only reader of LLVM's instructions.
//!
//! [`Reader`] finds the threads and variables of the program, [`thread::ThreadReader`] turns one function into an
//! automaton. What is not read becomes a [`program::model::Unsupported`] with its place, never nothing.

mod arithmetic;
mod blocks;
mod builder;
mod calls;
mod compact;
mod control;
mod globals;
mod intrinsics;
mod library;
mod lifetimes;
mod memory;
mod operands;
mod output;
mod prune;
mod sites;
mod survey;
mod thread;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::SiteId;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use self::blocks::Blocks;
use crate::ReadOptions;
use crate::llvm::{Module, Value};
use crate::normalize::{is_of_library, uses_lock};
use program::model::{
    BlockId, Function, FunctionId, Global, GlobalId, HeapSite, HeapSiteId, Program, Property, Site,
    Template, TemplateId, Unsupported, UnsupportedId,
};

/// Why an instruction is not read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It is a construct that is not supported, called so in messages.
    Construct(String),
    /// It uses a value whose definition a survey passed over.
    Consequence,
}

/// The outcome of reading a part of an instruction.
type Read<T> = Result<T, Unreadable>;

/// The program so far, and what is still to be read.
pub(crate) struct Reader<'m> {
    module: &'m Module,
    options: ReadOptions,
    sites: PrimaryMap<SiteId, Site>,
    dominators: PrimaryMap<BlockId, Option<BlockId>>,
    site_of: FxHashMap<Value, SiteId>,
    globals: PrimaryMap<GlobalId, Global>,
    global_of: FxHashMap<Value, GlobalId>,
    pending_globals: VecDeque<(Value, GlobalId)>,
    functions: PrimaryMap<FunctionId, Function>,
    function_values: PrimaryMap<FunctionId, Value>,
    function_of: FxHashMap<Value, FunctionId>,
    templates: PrimaryMap<TemplateId, Option<Template>>,
    template_of: FxHashMap<Value, TemplateId>,
    pending_templates: VecDeque<(Value, TemplateId)>,
    /// Whether some thread creation computes its start routine.
    computed_start: bool,
    heap_sites: PrimaryMap<HeapSiteId, HeapSite>,
    unsupported: PrimaryMap<UnsupportedId, Unsupported>,
    /// See [`Program::explanations`].
    explanations: BTreeMap<SiteId, String>,
    /// See [`Program::requirements`].
    requirements: BTreeSet<SiteId>,
    /// Whether reading goes on behind what is not read; see [`survey`].
    survey: bool,
}

/// Reads a normalised module whose main function is `main`.
pub(crate) fn read(module: &Module, main: Value, name: &str, options: &ReadOptions) -> Program {
    let mut program = Reader::new(module, options, false).read(main, name);
    if !program.unsupported.is_empty() {
        let found = Reader::new(module, options, true).read(main, name);
        survey::complete(&mut program, found.unsupported);
    }
    program
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module, options: &ReadOptions, survey: bool) -> Self {
        let blocks = Blocks::of(module);
        let (sites, site_of) = sites::collect(module, &blocks);
        Self {
            module,
            options: *options,
            sites,
            dominators: blocks.dominators,
            site_of,
            globals: PrimaryMap::new(),
            global_of: FxHashMap::default(),
            pending_globals: VecDeque::new(),
            functions: PrimaryMap::new(),
            function_values: PrimaryMap::new(),
            function_of: FxHashMap::default(),
            templates: PrimaryMap::new(),
            template_of: FxHashMap::default(),
            pending_templates: VecDeque::new(),
            computed_start: false,
            heap_sites: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            explanations: BTreeMap::new(),
            requirements: BTreeSet::new(),
            survey,
        }
    }

    fn read(mut self, main: Value, name: &str) -> Program {
        let main_template = self.template(main);
        self.read_pending(main);
        let sites = |is_meant: fn(&Module, Value) -> bool| {
            let accesses = self.site_of.iter();
            let meant = accesses.filter(|&(&access, _)| is_meant(self.module, access));
            meant.map(|(_, &site)| site).collect()
        };
        let (lock_uses, library_accesses) = (sites(uses_lock), sites(is_of_library));
        Program {
            name: name.to_owned(),
            main: main_template,
            templates: self
                .templates
                .into_iter()
                .filter_map(|(_, template)| template)
                .collect(),
            globals: self.globals,
            properties: Property::ALL.into(),
            functions: self.functions,
            heap_sites: self.heap_sites,
            sites: self.sites,
            dominators: self.dominators,
            unsupported: self.unsupported,
            explanations: self.explanations,
            lock_uses,
            library_accesses,
            requirements: self.requirements,
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

    /// The template of a function that runs as a thread, to be read later.
    fn template(&mut self, function: Value) -> TemplateId {
        if let Some(id) = self.template_of.get(&function) {
            return *id;
        }
        let id = self.templates.push(None);
        self.template_of.insert(function, id);
        self.pending_templates.push_back((function, id));
        id
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

    /// The function as something with an address.
    fn function(&mut self, function: Value) -> FunctionId {
        if let Some(id) = self.function_of.get(&function) {
            return *id;
        }
        let id = self.functions.push(Function {
            name: function.name(),
            template: None,
        });
        self.function_values.push(function);
        self.function_of.insert(function, id);
        id
    }

    /// The function is given to `pthread_create`.
    fn start_routine(&mut self, function: FunctionId) -> Read<()> {
        let value = self.function_values[function];
        if value.is_declaration() {
            return unreadable(format!("undefined start routine `{}`", value.name()));
        }
        self.template(value);
        Ok(())
    }

    /// Records a construct that is not read, once for each line.
    fn refuse(&mut self, what: String, site: SiteId) -> UnsupportedId {
        let construct = Unsupported { what, site };
        survey::find(&self.sites, &self.unsupported, &construct)
            .unwrap_or_else(|| self.unsupported.push(construct))
    }

    /// The site of an instruction.
    fn site(&self, instruction: Value) -> SiteId {
        self.site_of.get(&instruction).copied().unwrap_or(SiteId(0))
    }
}

/// A construct that is not read.
fn unreadable<T>(what: impl Into<String>) -> Read<T> {
    Err(Unreadable::Construct(what.into()))
}
