//! The part of a program that was read so far, and the functions that are still to be read.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::SiteId;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::blocks::Blocks;
use super::types::TypeReader;
use super::{sites, unsupported};
use crate::llvm::{Module, Value};
use crate::options::ReadOptions;
use program::model::{
    BlockId, CallSite, CallSiteId, Function, FunctionId, Global, GlobalId, HeapSite, HeapSiteId,
    Property, Site, Template, TemplateId, Unsupported, UnsupportedId,
};

/// Why an instruction is not read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// It is a construct that is not supported, called so in messages.
    Construct(String),
    /// It uses a value whose definition a survey passed over.
    Consequence,
}

/// The outcome of reading a part of an instruction.
pub(super) type Read<T> = Result<T, Unreadable>;

/// A construct that is not read.
pub(super) fn unreadable<T>(what: impl Into<String>) -> Read<T> {
    Err(Unreadable::Construct(what.into()))
}

/// The program so far, and what is still to be read.
pub(super) struct Reader<'m> {
    pub module: &'m Module,
    pub options: ReadOptions,
    pub sites: PrimaryMap<SiteId, Site>,
    pub call_sites: PrimaryMap<CallSiteId, CallSite>,
    pub types: TypeReader,
    pub dominators: PrimaryMap<BlockId, Option<BlockId>>,
    pub site_of: FxHashMap<Value, SiteId>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub global_of: FxHashMap<Value, GlobalId>,
    pub pending_globals: VecDeque<(Value, GlobalId)>,
    pub functions: PrimaryMap<FunctionId, Function>,
    pub function_values: PrimaryMap<FunctionId, Value>,
    pub function_of: FxHashMap<Value, FunctionId>,
    pub templates: PrimaryMap<TemplateId, Option<Template>>,
    pub template_of: FxHashMap<Value, TemplateId>,
    pub pending_templates: VecDeque<(Value, TemplateId)>,
    /// Whether some thread creation computes its start routine.
    pub computed_start: bool,
    /// Whether the main thread may end before the program does. Known when `main` is read, which comes first.
    pub main_ends_as_thread: bool,
    pub heap_sites: PrimaryMap<HeapSiteId, HeapSite>,
    pub unsupported: PrimaryMap<UnsupportedId, Unsupported>,
    /// See [`program::model::Program::explanations`].
    pub explanations: BTreeMap<SiteId, String>,
    /// See [`program::model::Program::requirements`].
    pub requirements: BTreeSet<SiteId>,
    /// See [`program::model::Program::required_by`].
    pub required_by: BTreeMap<SiteId, Property>,
    /// Whether reading goes on behind what is not read; see [`super::survey`].
    pub survey: bool,
}

impl<'m> Reader<'m> {
    pub fn new(module: &'m Module, options: &ReadOptions, survey: bool) -> Self {
        let blocks = Blocks::of(module);
        let sites = sites::collect(module, &blocks);
        Self {
            module,
            options: *options,
            sites: sites.sites,
            call_sites: sites.call_sites,
            types: TypeReader::default(),
            dominators: blocks.dominators,
            site_of: sites.of,
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
            main_ends_as_thread: false,
            heap_sites: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            explanations: BTreeMap::new(),
            requirements: BTreeSet::new(),
            required_by: BTreeMap::new(),
            survey,
        }
    }

    /// The template of a function that runs as a thread, to be read later.
    pub fn template(&mut self, function: Value) -> TemplateId {
        if let Some(id) = self.template_of.get(&function) {
            return *id;
        }
        let id = self.templates.push(None);
        self.template_of.insert(function, id);
        self.pending_templates.push_back((function, id));
        id
    }

    /// The function as something with an address.
    pub fn function(&mut self, function: Value) -> FunctionId {
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
    pub fn start_routine(&mut self, function: FunctionId) -> Read<()> {
        let value = self.function_values[function];
        if value.is_declaration() {
            return unreadable(format!("undefined start routine `{}`", value.name()));
        }
        self.template(value);
        Ok(())
    }

    /// Records a construct that is not read, once for each line.
    pub fn refuse(&mut self, what: String, site: SiteId) -> UnsupportedId {
        self.record(Unsupported {
            what,
            site,
            is_of_runs: false,
        })
    }

    /// Records what is left open of runs, once for each line.
    pub fn leave_open(&mut self, what: String, site: SiteId) -> UnsupportedId {
        self.record(Unsupported {
            what,
            site,
            is_of_runs: true,
        })
    }

    fn record(&mut self, construct: Unsupported) -> UnsupportedId {
        unsupported::find(&self.sites, &self.unsupported, &construct)
            .unwrap_or_else(|| self.unsupported.push(construct))
    }

    /// The site of an instruction.
    pub fn site(&self, instruction: Value) -> SiteId {
        self.site_of.get(&instruction).copied().unwrap_or(SiteId(0))
    }
}
