//! What is constant where: an optimistic propagation by symbolic execution of blocks.
//!
//! Starting from the entry of the main thread, every block that is reached is executed with what is known so far:
//! constants as constants, the rest as symbols. What the block writes is joined to what is known, and blocks that depend on
//! it are executed again, until nothing changes.
//! Variables that only one thread writes are known per cut point of that thread, all others once for all. What is never
//! reached gets no program counter value, what is constant gets no state variable, and terms fold on the way.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{LocationId, Operand, RegisterId};
use program::points_to::Offsets;
use system::term::{Term, Terms, Value};

use crate::context::EncodingContext;
use crate::execute::{BlockExecution, ExecutedBlock, Stop};
use crate::semantics::executor::Executor;
use crate::semantics::inputs::Inputs;
use crate::semantics::path::{Path, Variable};
use crate::semantics::sink::Sink;
use crate::values::Values;

/// What is known about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constness {
    /// It has this value.
    Constant(Value),
    /// It may have several values.
    Varying,
}

/// What is known about the variables at one cut point.
pub type Knowledge = BTreeMap<Variable, Constness>;

/// The result of the propagation.
#[derive(Clone, Debug, Default)]
pub struct ConstantPropagation {
    /// For every cut point that is reached: the live registers, and the variables that only its thread writes.
    pub cuts: BTreeMap<CutPoint, Knowledge>,
    /// For every variable but registers, at any time.
    pub all: Knowledge,
    /// The sinks that are reached.
    pub sinks: BTreeSet<(InstanceId, Sink)>,
}

impl ConstantPropagation {
    /// Analyses a program.
    pub fn analyse(context: &EncodingContext<'_>) -> Self {
        let mut propagation = Propagation {
            context,
            terms: Terms::new(),
            symbols: BTreeMap::new(),
            inputs: Inputs::default(),
            facts: Self::default(),
            all: BTreeMap::new(),
            readers: BTreeMap::new(),
            open: BTreeSet::new(),
        };
        for variable in context.variables() {
            propagation.join_all(variable, initial(context, variable));
        }
        for variable in context.parameters() {
            let symbol = propagation.symbol(variable);
            propagation.all.insert(variable, symbol);
        }
        propagation.enter(InstanceId::MAIN);
        while let Some(cut) = propagation.open.pop_first() {
            propagation.block(cut);
        }
        propagation.facts
    }

    /// What is known about the live registers of a reached cut point.
    pub fn registers(
        &self,
        context: &EncodingContext<'_>,
        cut: CutPoint,
    ) -> BTreeMap<RegisterId, Constness> {
        let knowledge = &self.cuts[&cut];
        let live = context.automaton(cut.0).live.at(cut.1).iter();
        live.filter_map(|&register| {
            let known = knowledge.get(&Variable::Register(cut.0, register))?;
            Some((register, *known))
        })
        .collect()
    }

    /// The variables other than registers that are constant at a cut point although they are not everywhere.
    pub fn constants_at(&self, terms: &mut Terms, cut: CutPoint) -> BTreeMap<Variable, Term> {
        let mut here = BTreeMap::new();
        for (&variable, &known) in &self.cuts[&cut] {
            if let (Constness::Constant(value), false) = (known, variable.is_register()) {
                here.insert(variable, terms.constant(value));
            }
        }
        here
    }
}

/// The first value of a variable.
pub fn initial(context: &EncodingContext<'_>, variable: Variable) -> Constness {
    match variable {
        Variable::Started(instance) => {
            Constness::Constant(Value::Bool(instance == InstanceId::MAIN))
        }
        Variable::Cell(cell) => match context.initial_content(cell) {
            Some(value) => Constness::Constant(value),
            None => Constness::Varying,
        },
        Variable::InRegion(..) | Variable::RegisterInRegion(..) | Variable::Number(_) => {
            Constness::Varying
        }
        Variable::Register(instance, register) => {
            let address = some_address(context, instance, register).unwrap_or(0);
            let width = context.template(instance).registers[register].width;
            Constness::Constant(Value::truncated(width, address.into()))
        }
        Variable::Alive(object) => {
            Constness::Constant(Value::Bool(context.instances.owner(object).is_some()))
        }
        Variable::Pc(_)
        | Variable::Exited(_)
        | Variable::Result(_)
        | Variable::Claimed(_)
        | Variable::Size(_)
        | Variable::Used(_) => Constness::Constant(Value::zero(context.sort(variable))),
    }
}

/// An address that a register may hold. It is not read before it is written, and may as well start with the bits that
/// all its addresses share: these are no state then.
fn some_address(
    context: &EncodingContext<'_>,
    instance: InstanceId,
    register: RegisterId,
) -> Option<u64> {
    let targets = context
        .points_to
        .targets(instance, Operand::Register(register));
    let &(object, offsets) = targets.objects.first()?;
    let offset = match offsets {
        Offsets::Exact(offset) | Offsets::Stride { first: offset, .. } => offset,
        Offsets::Any => 0,
    };
    Some(context.instances.base(object) | u64::from(offset))
}

/// A cut point of an instance.
pub type CutPoint = (InstanceId, LocationId);

struct Propagation<'a> {
    context: &'a EncodingContext<'a>,
    terms: Terms,
    symbols: BTreeMap<Variable, Term>,
    inputs: Inputs,
    facts: ConstantPropagation,
    /// What is known of all variables, as terms.
    all: BTreeMap<Variable, Term>,
    /// Which blocks depend on what is known of a variable at any time.
    readers: BTreeMap<Variable, BTreeSet<CutPoint>>,
    /// The blocks to execute, again if something that they depend on changed.
    open: BTreeSet<CutPoint>,
}

impl Propagation<'_> {
    fn symbol(&mut self, variable: Variable) -> Term {
        let (context, terms) = (self.context, &mut self.terms);
        let fresh = || terms.symbol("", context.sort(variable));
        *self.symbols.entry(variable).or_insert_with(fresh)
    }

    fn term(&mut self, variable: Variable, known: Constness) -> Term {
        match known {
            Constness::Constant(value) => self.terms.constant(value),
            Constness::Varying => self.symbol(variable),
        }
    }

    fn block(&mut self, (instance, cut): CutPoint) {
        let place = (instance, cut);
        let mut registers = BTreeMap::new();
        for (register, known) in self.facts.registers(self.context, place) {
            let term = self.term(Variable::Register(instance, register), known);
            registers.insert(register, term);
        }
        let here = self.facts.constants_at(&mut self.terms, place);
        let values = Values::new(&self.all, here);
        let (context, terms) = (self.context, &mut self.terms);
        let executor = Executor::new(context, terms, &values, &mut self.inputs, instance);
        let executed = BlockExecution::new(executor).run(cut, registers);
        for variable in values.into_reads() {
            self.readers.entry(variable).or_default().insert(place);
        }
        self.learn(place, &executed);
    }

    /// Joins what a block does to what is known.
    fn learn(&mut self, source: CutPoint, executed: &ExecutedBlock) {
        let (instance, _) = source;
        for &(started, parameter) in &executed.started {
            self.enter(started);
            if let Some((register, value)) = parameter {
                let entry = (started, self.context.template(started).entry);
                let variable = Variable::Register(started, register);
                self.join_at(entry, variable, self.known(value));
            }
        }
        for (&stop, path) in &executed.ends {
            match stop {
                Stop::Cut(target) => self.arrive(source, target, path),
                Stop::Sink(sink) => {
                    self.facts.sinks.insert((instance, sink));
                    if sink == Sink::Exited {
                        self.join_all(
                            Variable::Exited(instance),
                            Constness::Constant(Value::Bool(true)),
                        );
                    }
                }
            }
            for (&variable, &value) in path.written() {
                if !variable.is_register() {
                    self.join_all(variable, self.known(value));
                }
            }
        }
    }

    /// A thread begins.
    fn enter(&mut self, instance: InstanceId) {
        let entry = (instance, self.context.template(instance).entry);
        self.reach(entry);
        for &variable in self.context.owned(instance) {
            self.join_at(entry, variable, initial(self.context, variable));
        }
    }

    fn arrive(&mut self, source: CutPoint, target: LocationId, path: &Path) {
        let cut = (source.0, target);
        self.reach(cut);
        for (&register, &value) in path.registers() {
            self.join_at(cut, Variable::Register(cut.0, register), self.known(value));
        }
        for &variable in self.context.owned(cut.0) {
            let known = match path.written().get(&variable) {
                Some(&value) => self.known(value),
                None => self.facts.cuts[&source][&variable],
            };
            self.join_at(cut, variable, known);
        }
    }

    fn known(&self, term: Term) -> Constness {
        self.terms
            .as_value(term)
            .map_or(Constness::Varying, Constness::Constant)
    }

    fn reach(&mut self, cut: CutPoint) {
        if let Entry::Vacant(entry) = self.facts.cuts.entry(cut) {
            entry.insert(Knowledge::new());
            self.open.insert(cut);
        }
    }

    fn join_at(&mut self, cut: CutPoint, variable: Variable, known: Constness) {
        let knowledge = self.facts.cuts.entry(cut).or_default();
        if join(knowledge, variable, known) {
            self.open.insert(cut);
        }
    }

    fn join_all(&mut self, variable: Variable, known: Constness) {
        if join(&mut self.facts.all, variable, known) {
            let term = self.term(variable, self.facts.all[&variable]);
            self.all.insert(variable, term);
            if let Some(readers) = self.readers.get(&variable) {
                self.open.extend(readers.iter().copied());
            }
        }
    }
}

/// Joins a value to what is known and tells whether that changed.
fn join(knowledge: &mut Knowledge, variable: Variable, known: Constness) -> bool {
    let old = knowledge.get(&variable).copied();
    let new = match old {
        Some(old) if old != known => Constness::Varying,
        Some(_) | None => known,
    };
    knowledge.insert(variable, new);
    old != Some(new)
}
