//! One guarded update per block: guard, targets and updates as terms over state and inputs.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use program::model::{LocationId, RegisterId};
use system::term::{Term, Terms, Value};

use crate::constant_propagation::{ConstantPropagation, Constness};
use crate::context::EncodingContext;
use crate::execute::{BlockExecution, ExecutedBlock, Stop};
use crate::names;
use crate::program_counter::ProgramCounter;
use crate::register_coalescing::RegisterCoalescing;
use crate::semantics::executor::Executor;
use crate::semantics::inputs::Inputs;
use crate::semantics::memory::Memory;
use crate::semantics::path::{Path, RegionId, Variable, merge_all};
use crate::values::Values;

/// The transitions of one block of one instance.
#[derive(Clone, Debug)]
pub struct Block {
    /// Who moves.
    pub instance: InstanceId,
    /// From which cut point.
    pub source: LocationId,
    /// Where to, each with the condition over state and inputs under which the block ends there.
    pub targets: Vec<(Stop, Term)>,
    /// Whether the block is enabled for a thread that stands at the source and may run at all.
    pub guard: Term,
    /// The variables that change, with their next values. All others keep theirs.
    pub updates: BTreeMap<Variable, Term>,
}

/// Builds all blocks that are reached.
#[derive(Debug)]
pub struct Builder<'a> {
    /// Program and analyses.
    pub context: &'a EncodingContext<'a>,
    /// What is constant.
    pub facts: &'a ConstantPropagation,
    /// Which registers share state variables.
    pub sharing: &'a RegisterCoalescing,
    /// Program counters of the instances that run.
    pub counters: &'a BTreeMap<InstanceId, ProgramCounter>,
    /// The arena.
    pub terms: &'a mut Terms,
    /// Nondeterministic values.
    pub inputs: Inputs,
    /// State variables, made where they are needed.
    pub symbols: BTreeMap<Variable, Term>,
}

impl Builder<'_> {
    /// The blocks in the order of instances and cut points.
    pub fn blocks(&mut self) -> Vec<Block> {
        let all = self.values();
        let cuts: Vec<_> = self.facts.cuts.keys().copied().collect();
        cuts.into_iter()
            .map(|(instance, source)| self.block(&all, instance, source))
            .collect()
    }

    /// The current values of all variables but registers that no other thread writes.
    fn values(&mut self) -> BTreeMap<Variable, Term> {
        let mut all = BTreeMap::new();
        for (&variable, &known) in &self.facts.all {
            let term = match known {
                Constness::Constant(value) => self.terms.constant(value),
                Constness::Varying => self.current(variable),
            };
            all.insert(variable, term);
        }
        for variable in self.context.parameters() {
            let term = self.parameter(variable);
            all.insert(variable, term);
        }
        all
    }

    fn current(&mut self, variable: Variable) -> Term {
        match variable {
            Variable::Started(instance) => match self.counters.get(&instance) {
                Some(counter) => counter.is_started(self.terms),
                None => self.terms.bool(false),
            },
            Variable::Exited(instance) => self.counters[&instance].is_exited(self.terms),
            Variable::InRegion(instance, region) => {
                let region = &self.context.regions[region].locations;
                let entry = self.context.template(instance).entry;
                match self.counters.get(&instance) {
                    Some(counter) => counter.is_within(self.terms, region, entry),
                    None => self.terms.bool(region.contains(&entry)),
                }
            }
            Variable::RegisterInRegion(instance, region, register) => {
                self.held(instance, region, register)
            }
            Variable::Pc(instance) => self.counters[&instance].term,
            Variable::Register(..)
            | Variable::Result(_)
            | Variable::Claimed(_)
            | Variable::Number(_)
            | Variable::Cell(_)
            | Variable::Alive(_)
            | Variable::Size(_)
            | Variable::Used(_) => self.symbol(variable),
        }
    }

    /// What a register holds at the cut points of a region: at each its state variable there, or what it is known to be.
    fn held(&mut self, instance: InstanceId, region: RegionId, register: RegisterId) -> Term {
        let variable = Variable::Register(instance, register);
        let mut held = None;
        for &cut in &self.context.regions[region].locations {
            let knowledge = self.facts.cuts.get(&(instance, cut));
            let here = match knowledge.and_then(|knowledge| knowledge.get(&variable)) {
                Some(Constness::Constant(value)) => self.terms.constant(*value),
                Some(Constness::Varying) => self.symbol(variable),
                None => continue, // never reached
            };
            held = Some(match held {
                None => here,
                Some(other) => {
                    let at = self.counters[&instance].is_at(self.terms, Stop::Cut(cut));
                    self.terms.ite(at, here, other)
                }
            });
        }
        let sort = self.context.sort(variable);
        held.unwrap_or_else(|| self.terms.constant(Value::zero(sort)))
    }

    /// The state variable of a variable.
    fn symbol(&mut self, variable: Variable) -> Term {
        let (context, terms) = (self.context, &mut *self.terms);
        let variable = self.sharing.of(variable);
        let fresh = || terms.symbol(names::variable(context, variable), context.sort(variable));
        *self.symbols.entry(variable).or_insert_with(fresh)
    }

    /// The register of a parameter as another thread that starts this one sees it: a constant if it is that at the entry
    /// and so needs no state there.
    fn parameter(&mut self, variable: Variable) -> Term {
        let Variable::Register(instance, _) = variable else {
            return self.symbol(variable);
        };
        let entry = (instance, self.context.template(instance).entry);
        match self
            .facts
            .cuts
            .get(&entry)
            .and_then(|knowledge| knowledge.get(&variable))
        {
            Some(Constness::Constant(value)) => self.terms.constant(*value),
            Some(Constness::Varying) | None => self.symbol(variable),
        }
    }

    fn block(
        &mut self,
        all: &BTreeMap<Variable, Term>,
        instance: InstanceId,
        source: LocationId,
    ) -> Block {
        let registers = self.registers(instance, source);
        let here = self.facts.constants_at(self.terms, (instance, source));
        let values = Values::new(all, here);
        let executor = Executor::new(
            self.context,
            self.terms,
            &values,
            &mut self.inputs,
            instance,
        );
        let executed = BlockExecution::new(executor).run(source, registers);
        self.summarise(instance, source, executed, &values)
    }

    /// The registers with which a block starts.
    fn registers(&mut self, instance: InstanceId, cut: LocationId) -> BTreeMap<RegisterId, Term> {
        let known = self.facts.registers(self.context, (instance, cut));
        let mut registers = BTreeMap::new();
        for (register, known) in known {
            let value = match known {
                Constness::Constant(value) => self.terms.constant(value),
                Constness::Varying => self.symbol(Variable::Register(instance, register)),
            };
            registers.insert(register, value);
        }
        registers
    }

    /// Merges the ends of a block into one update.
    fn summarise(
        &mut self,
        instance: InstanceId,
        source: LocationId,
        executed: ExecutedBlock,
        values: &Values<'_>,
    ) -> Block {
        let counter = &self.counters[&instance];
        let mut targets = Vec::new();
        let mut paths = Vec::new();
        for (stop, path) in executed.ends {
            targets.push((stop, path.guard(self.terms)));
            let mut path = self.without_constants(instance, stop, path);
            path.set(Variable::Pc(instance), counter.value(self.terms, stop));
            paths.push(path);
        }
        let pc = counter.term;
        let merged = merge_all(paths, self.terms, &|terms, variable| match variable {
            Variable::Pc(_) => pc,
            Variable::Started(_)
            | Variable::Exited(_)
            | Variable::InRegion(..)
            | Variable::RegisterInRegion(..)
            | Variable::Register(..)
            | Variable::Result(_)
            | Variable::Claimed(_)
            | Variable::Number(_)
            | Variable::Cell(_)
            | Variable::Alive(_)
            | Variable::Size(_)
            | Variable::Used(_) => values.before(terms, variable),
        });
        let Some(path) = merged else {
            let guard = self.terms.bool(false);
            return Block {
                instance,
                source,
                targets,
                guard,
                updates: BTreeMap::new(),
            };
        };
        let guard = path.guard(self.terms);
        let updates = self.updates(instance, &path);
        Block {
            instance,
            source,
            targets,
            guard,
            updates,
        }
    }

    /// Drops the registers whose value is known at the stop anyway, and names the others by their state variables.
    fn without_constants(&self, instance: InstanceId, stop: Stop, mut path: Path) -> Path {
        let varying: Vec<_> = match stop {
            Stop::Sink(_) => Vec::new(),
            Stop::Cut(cut) => {
                let knowledge = &self.facts.cuts[&(instance, cut)];
                let registers = path.registers().keys().copied();
                registers
                    .filter(|&register| {
                        knowledge.get(&Variable::Register(instance, register))
                            == Some(&Constness::Varying)
                    })
                    .collect()
            }
        };
        path.keep_registers(&varying);
        path.rename_registers(|register| self.sharing.representative(instance, register));
        path
    }

    /// The next values of what changes: started threads get the program counter of their entry.
    fn updates(&mut self, instance: InstanceId, path: &Path) -> BTreeMap<Variable, Term> {
        let mut updates = BTreeMap::new();
        for (&register, &value) in path.registers() {
            updates.insert(Variable::Register(instance, register), value);
        }
        for (&variable, &value) in path.written() {
            if let Variable::Started(started) = variable {
                updates.insert(Variable::Pc(started), self.start(started, value));
            } else if self
                .facts
                .all
                .get(&variable)
                .is_none_or(|known| *known == Constness::Varying)
            {
                updates.insert(self.sharing.of(variable), value);
            }
        }
        updates.retain(|variable, value| Some(&*value) != self.symbols.get(variable));
        updates
    }

    /// The next program counter of a thread that is started where `started` holds and was not before.
    fn start(&mut self, instance: InstanceId, started: Term) -> Term {
        let counter = &self.counters[&instance];
        let entry = Stop::Cut(self.context.template(instance).entry);
        let before = counter.is_started(self.terms);
        let first = counter.value(self.terms, entry);
        let moved = self.terms.ite(before, counter.term, first);
        self.terms.ite(started, moved, counter.term)
    }
}
