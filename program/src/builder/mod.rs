//! Builds programs statement by statement, for tests and for generated programs.
//!
//! A [`TemplateBuilder`] has a current location; most methods append an edge there and go on behind it. Each edge gets a
//! site of its own, whose line counts the edges.
//!
//! ```
//! use program::builder::{ProgramBuilder, constant, global};
//! use program::model::Comparison;
//!
//! let mut builder = ProgramBuilder::new("example");
//! let x = builder.global("x", &[0; 4]);
//! let mut main = builder.main();
//! main.store(constant(32, 1), global(x));
//! let value = main.load(32, global(x));
//! let good = main.compare(Comparison::Equal, value, constant(32, 1));
//! main.assert(good);
//! main.finish();
//! assert!(program::check::check(&builder.finish()).is_empty());
//! ```

mod template;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::PrimaryMap;

pub use self::template::TemplateBuilder;
use crate::model::{
    Bits, DataModel, Function, FunctionId, Global, GlobalId, LocalId, Operand, Place, Program,
    Property, RegisterId, Statement, TemplateId, Types,
};
use crate::threads::{Bounds, instantiate};

impl From<RegisterId> for Operand {
    fn from(register: RegisterId) -> Self {
        Self::Register(register)
    }
}

/// The constant `value` modulo 2^`width`.
pub fn constant(width: u32, value: i128) -> Operand {
    Operand::Constant(Bits::new(width, value as u128))
}

/// The address of a global variable.
pub fn global(global: GlobalId) -> Operand {
    Operand::Address(Place::Global(global), 0)
}

/// The address of an automatic variable.
pub fn local(local: LocalId) -> Operand {
    Operand::Address(Place::Local(local), 0)
}

/// The address of a function.
pub fn function(function: FunctionId) -> Operand {
    Operand::Address(Place::Function(function), 0)
}

/// Lets statements that name a thread by a number name it by its handle: 1 is the first thread of all, and a number that is too
/// large stays.
pub fn name_threads(program: &mut Program) {
    let instances = instantiate(program, &Bounds::default());
    let templates = program.templates.values_mut();
    for edge in templates.flat_map(|template| template.edges.values_mut()) {
        if let Statement::Join { thread, .. }
        | Statement::Detach { thread }
        | Statement::NumberOfThread { thread, .. } = &mut edge.statement
            && let Operand::Constant(number) = *thread
            && let Some(named) = number.value.checked_sub(1)
            && let Some(named) = instances
                .threads
                .keys()
                .find(|id| u128::from(id.0) == named)
        {
            *thread = constant(64, instances.handle(named).into());
        }
    }
}

/// A program under construction.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// A program without variables and threads.
    pub fn new(name: &str) -> Self {
        let program = Program {
            data_model: DataModel::Lp64,
            name: name.to_owned(),
            templates: PrimaryMap::new(),
            main: TemplateId::from_u32(0),
            globals: PrimaryMap::new(),
            properties: BTreeSet::from([Property::UnreachCall]),
            functions: PrimaryMap::new(),
            heap_sites: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            dominators: [None].into_iter().collect(),
            unsupported: PrimaryMap::new(),
            arbitrary_functions: BTreeSet::new(),
            explanations: BTreeMap::new(),
            lock_uses: BTreeSet::new(),
            library_accesses: BTreeSet::new(),
            let_go: BTreeSet::new(),
            wait_checks: BTreeSet::new(),
            ordered_accesses: BTreeSet::new(),
            wide_reads: BTreeSet::new(),
            demand_accesses: BTreeSet::new(),
            weak_orders: BTreeMap::new(),
            announcement: None,
            doubt: None,
            requirements: BTreeSet::new(),
            required_by: BTreeMap::new(),
            call_sites: PrimaryMap::new(),
            types: Types::default(),
            families: Vec::new(),
        };
        Self { program }
    }

    /// A writable global variable.
    pub fn global(&mut self, name: &str, bytes: &[u8]) -> GlobalId {
        self.variable(name, bytes, true, false)
    }

    /// A constant.
    pub fn constant(&mut self, name: &str, bytes: &[u8]) -> GlobalId {
        self.variable(name, bytes, false, false)
    }

    /// A thread-local variable.
    pub fn thread_local(&mut self, name: &str, bytes: &[u8]) -> GlobalId {
        self.variable(name, bytes, true, true)
    }

    fn variable(
        &mut self,
        name: &str,
        bytes: &[u8],
        writable: bool,
        thread_local: bool,
    ) -> GlobalId {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        self.program.globals.push(Global {
            name,
            bytes,
            relocations: Vec::new(),
            writable,
            thread_local,
            alignment: 8,
            mergeable: false,
            unread: false,
            c_type: None,
        })
    }

    /// Lets a global hold the address `place + offset` at byte `at` first.
    pub fn relocation(&mut self, global: GlobalId, at: u32, place: Place, offset: u32) {
        self.program.globals[global]
            .relocations
            .push((at, place, offset));
    }

    /// A function whose address is taken; [`ProgramBuilder::thread`] gives it an automaton.
    pub fn function(&mut self, name: &str) -> FunctionId {
        self.program.functions.push(Function {
            name: name.to_owned(),
            template: None,
        })
    }

    /// The automaton of a start routine, which has one parameter.
    pub fn thread(&mut self, function: FunctionId) -> TemplateBuilder<'_> {
        let name = self.program.functions[function].name.clone();
        let mut builder = TemplateBuilder::new(&mut self.program, name, Some(function));
        let parameter = builder.register(64);
        builder.parameters(vec![parameter]);
        builder
    }

    /// The automaton of `main`.
    pub fn main(&mut self) -> TemplateBuilder<'_> {
        TemplateBuilder::new(&mut self.program, "main".to_owned(), None)
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }
}
