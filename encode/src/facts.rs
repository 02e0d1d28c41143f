//! What is constant where: an optimistic analysis by symbolic execution of blocks.
//!
//! Starting from the entry of the main thread, every block that is reached is executed with what is known so far:
//! constants as constants, the rest as symbols. What the block writes is joined to what is known, until nothing changes.
//! Variables that only one thread writes are known per cut point of that thread, all others once for all. What is never
//! reached gets no program counter value, what is constant gets no state variable, and terms fold on the way.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{LocationId, RegisterId};
use system::term::{Term, Terms, Value};

use crate::execute::{Executor, Outcome, Sink, Stop, Values};
use crate::inputs::Inputs;
use crate::path::{Path, Variable};
use crate::world::World;

/// What is known about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It has this value.
    Constant(Value),
    /// It may have several values.
    Varying,
}

/// What is known about the variables at one cut point.
pub type Knowledge = BTreeMap<Variable, Known>;

/// The result of the analysis.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// For every cut point that is reached: the live registers, and the variables that only its thread writes.
    pub cuts: BTreeMap<(InstanceId, LocationId), Knowledge>,
    /// For every variable but registers, at any time.
    pub all: Knowledge,
    /// The sinks that are reached.
    pub sinks: BTreeSet<(InstanceId, Sink)>,
}

impl Facts {
    /// Analyses a program.
    pub fn analyse(world: &World<'_>) -> Self {
        let mut analysis = Analysis {
            world,
            terms: Terms::new(),
            symbols: BTreeMap::new(),
            inputs: Inputs::default(),
            facts: Self::default(),
            changed: false,
        };
        analysis.facts.all = world
            .variables()
            .map(|variable| (variable, initial(world, variable)))
            .collect();
        analysis.enter(InstanceId::MAIN);
        analysis.run();
        analysis.facts
    }

    /// The values with which a block starts, given a symbol for every variable that varies.
    pub fn registers(
        &self,
        world: &World<'_>,
        terms: &mut Terms,
        (instance, cut): (InstanceId, LocationId),
        symbol: &mut dyn FnMut(&mut Terms, Variable) -> Term,
    ) -> BTreeMap<RegisterId, Term> {
        let knowledge = &self.cuts[&(instance, cut)];
        let mut registers = BTreeMap::new();
        for &register in world.automaton(instance).live.at(cut) {
            let variable = Variable::Register(instance, register);
            let value = match knowledge.get(&variable) {
                Some(Known::Constant(value)) => terms.constant(*value),
                Some(Known::Varying) => symbol(terms, variable),
                None => continue,
            };
            registers.insert(register, value);
        }
        registers
    }

    /// The variables other than registers that are constant at a cut point although they are not everywhere.
    pub fn constants_at(
        &self,
        terms: &mut Terms,
        cut: (InstanceId, LocationId),
    ) -> BTreeMap<Variable, Term> {
        let mut here = BTreeMap::new();
        for (&variable, &known) in &self.cuts[&cut] {
            if let (Known::Constant(value), false) = (known, variable.is_register()) {
                here.insert(variable, terms.constant(value));
            }
        }
        here
    }
}

/// The first value of a variable.
pub fn initial(world: &World<'_>, variable: Variable) -> Known {
    match variable {
        Variable::Started(instance) => Known::Constant(Value::Bool(instance == InstanceId::MAIN)),
        Variable::Cell(cell) => match world.initial_content(cell) {
            Some(value) => Known::Constant(value),
            None => Known::Varying,
        },
        Variable::Pc(_)
        | Variable::Exited(_)
        | Variable::Register(..)
        | Variable::Result(_)
        | Variable::Alive(_)
        | Variable::Size(_)
        | Variable::Used(_) => Known::Constant(Value::zero(world.sort(variable))),
    }
}

struct Analysis<'a> {
    world: &'a World<'a>,
    terms: Terms,
    symbols: BTreeMap<Variable, Term>,
    inputs: Inputs,
    facts: Facts,
    changed: bool,
}

impl Analysis<'_> {
    fn run(&mut self) {
        loop {
            self.changed = false;
            let reached: Vec<_> = self.facts.cuts.keys().copied().collect();
            for (instance, cut) in reached {
                self.block(instance, cut);
            }
            if !self.changed {
                return;
            }
        }
    }

    fn block(&mut self, instance: InstanceId, cut: LocationId) {
        let facts = std::mem::take(&mut self.facts);
        let (world, symbols) = (self.world, &mut self.symbols);
        let mut symbol = |terms: &mut Terms, variable| {
            *symbols
                .entry(variable)
                .or_insert_with(|| terms.symbol("", world.sort(variable)))
        };
        let registers = facts.registers(world, &mut self.terms, (instance, cut), &mut symbol);
        let mut all = BTreeMap::new();
        for (&variable, &known) in &facts.all {
            let term = match known {
                Known::Constant(value) => self.terms.constant(value),
                Known::Varying => symbol(&mut self.terms, variable),
            };
            all.insert(variable, term);
        }
        for variable in world.parameters() {
            all.insert(variable, symbol(&mut self.terms, variable));
        }
        let here = facts.constants_at(&mut self.terms, (instance, cut));
        self.facts = facts;
        let values = Values { all: &all, here };
        let executor = Executor::new(world, &mut self.terms, &values, &mut self.inputs, instance);
        let outcome = executor.block(cut, registers);
        self.learn(instance, &outcome, &values);
    }

    /// Joins what a block does to what is known.
    fn learn(&mut self, instance: InstanceId, outcome: &Outcome, values: &Values<'_>) {
        for &(started, parameter) in &outcome.started {
            self.enter(started);
            if let Some((register, value)) = parameter {
                let entry = (started, self.world.template(started).entry);
                let variable = Variable::Register(started, register);
                self.join_at(entry, variable, self.known(value));
            }
        }
        for (&stop, path) in &outcome.ends {
            match stop {
                Stop::Cut(target) => self.arrive((instance, target), path, values),
                Stop::Sink(sink) => {
                    self.changed |= self.facts.sinks.insert((instance, sink));
                    if sink == Sink::Exited {
                        self.join_all(
                            Variable::Exited(instance),
                            Known::Constant(Value::Bool(true)),
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
        let entry = (instance, self.world.template(instance).entry);
        self.reach(entry);
        for &variable in self.world.owned(instance) {
            self.join_at(entry, variable, initial(self.world, variable));
        }
    }

    fn arrive(&mut self, cut: (InstanceId, LocationId), path: &Path, values: &Values<'_>) {
        self.reach(cut);
        for (&register, &value) in path.registers() {
            self.join_at(cut, Variable::Register(cut.0, register), self.known(value));
        }
        for &variable in self.world.owned(cut.0) {
            let value = path
                .written()
                .get(&variable)
                .copied()
                .unwrap_or_else(|| values.get(variable));
            self.join_at(cut, variable, self.known(value));
        }
    }

    fn known(&self, term: Term) -> Known {
        self.terms
            .as_value(term)
            .map_or(Known::Varying, Known::Constant)
    }

    fn reach(&mut self, cut: (InstanceId, LocationId)) {
        if let Entry::Vacant(entry) = self.facts.cuts.entry(cut) {
            entry.insert(Knowledge::new());
            self.changed = true;
        }
    }

    fn join_at(&mut self, cut: (InstanceId, LocationId), variable: Variable, known: Known) {
        let knowledge = self.facts.cuts.entry(cut).or_default();
        self.changed |= join(knowledge, variable, known);
    }

    fn join_all(&mut self, variable: Variable, known: Known) {
        self.changed |= join(&mut self.facts.all, variable, known);
    }
}

/// Joins a value to what is known and tells whether that changed.
fn join(knowledge: &mut Knowledge, variable: Variable, known: Known) -> bool {
    let old = knowledge.get(&variable).copied();
    let new = match old {
        Some(old) if old != known => Known::Varying,
        Some(_) | None => known,
    };
    knowledge.insert(variable, new);
    old != Some(new)
}
