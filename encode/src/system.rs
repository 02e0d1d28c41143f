//! From blocks to one functional transition system.
//!
//! An input schedules one of the instances; the block that begins where it stands gives the next state. The guard says that
//! this block is enabled and that no other thread is where it excludes all others (Sec. 5 of the paper).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::Property::NoInfiniteRun;
use rustc_hash::FxHashMap;
use system::term::{Node, Sort, Term, Terms};
use system::transition_system::{Property, StateVariable, TransitionSystem};

use crate::constant_propagation::{ConstantPropagation, Constness, initial};
use crate::context::{EncodingContext, bits_for};
use crate::execute::Stop;
use crate::names;
use crate::program_counter::ProgramCounter;
use crate::properties::properties;
use crate::recurrence::{self, Mover, Recurrence};
use crate::register_coalescing::RegisterCoalescing;
use crate::semantics::inputs::Inputs;
use crate::semantics::path::Variable;
use crate::transition::{Block, Builder};

/// A system with what its parts mean.
#[derive(Debug)]
pub struct Assembly {
    /// The system.
    pub system: TransitionSystem,
    /// How many blocks it is made of.
    pub blocks: usize,
    /// What the state variables are, in their order.
    pub variables: Vec<Variable>,
    /// The variable of the state that says whether a state is recorded, if that is looked for; it comes after `variables`.
    pub recorded: Option<Term>,
    /// The input that schedules, if there is more than one thread; its value `k` is the `k`-th of `threads`.
    pub scheduler: Option<Term>,
    /// The instances that run, ascending.
    pub threads: Vec<InstanceId>,
    /// Their program counters.
    pub counters: BTreeMap<InstanceId, ProgramCounter>,
    /// All nondeterministic values.
    pub inputs: Inputs,
}

/// Builds the system of a program.
pub fn assemble(context: &EncodingContext<'_>, facts: &ConstantPropagation) -> Assembly {
    let mut terms = Terms::new();
    let counters = ProgramCounter::all(context, facts, &mut terms);
    let sharing = RegisterCoalescing::new(context, facts);
    let mut builder = Builder {
        context,
        facts,
        sharing: &sharing,
        counters: &counters,
        terms: &mut terms,
        inputs: Inputs::default(),
        symbols: BTreeMap::new(),
    };
    let blocks = builder.blocks();
    let (inputs, mut symbols) = (builder.inputs, builder.symbols);
    symbols.extend(
        counters
            .iter()
            .map(|(&id, counter)| (Variable::Pc(id), counter.term)),
    );
    let schedule = Schedule::new(&mut terms, &counters);
    Assembler {
        context,
        terms,
        counters,
        symbols,
        schedule,
        inputs,
    }
    .finish(&blocks)
}

/// Who is scheduled.
struct Schedule {
    input: Option<Term>,
    /// For every instance the condition that it is scheduled.
    conditions: BTreeMap<InstanceId, Term>,
}

impl Schedule {
    fn new(terms: &mut Terms, counters: &BTreeMap<InstanceId, ProgramCounter>) -> Self {
        if counters.len() < 2 {
            let always = terms.bool(true);
            let conditions = counters
                .keys()
                .map(|&instance| (instance, always))
                .collect();
            return Self {
                input: None,
                conditions,
            };
        }
        let width = bits_for(counters.len() as u128 - 1);
        let input = terms.symbol("thread", Sort::BitVec(width));
        let mut conditions = BTreeMap::new();
        for (number, &instance) in counters.keys().enumerate() {
            let number = terms.bits(width, number as u128);
            conditions.insert(instance, terms.equal(input, number));
        }
        Self {
            input: Some(input),
            conditions,
        }
    }
}

struct Assembler<'a> {
    context: &'a EncodingContext<'a>,
    terms: Terms,
    counters: BTreeMap<InstanceId, ProgramCounter>,
    symbols: BTreeMap<Variable, Term>,
    schedule: Schedule,
    inputs: Inputs,
}

impl Assembler<'_> {
    fn finish(mut self, blocks: &[Block]) -> Assembly {
        let guards = self.guards(blocks);
        let guard = self.terms.or_all(guards.iter().copied());
        let mut properties = properties(self.context, &self.counters, &mut self.terms);
        let mut next = self.next(blocks);
        let movers = self.movers(blocks, &guards);
        let roots = properties
            .iter()
            .map(|property| property.bad)
            .chain(movers.iter().map(|mover| mover.able))
            .chain([guard])
            .collect();
        let variables = self.needed(roots, &next);
        let mut state: Vec<StateVariable> = variables
            .iter()
            .map(|&variable| StateVariable {
                current: self.symbols[&variable],
                initial: self.initial(variable),
                next: Some(next.remove(&variable).unwrap_or(self.symbols[&variable])),
            })
            .collect();
        let mut inputs = self.used_inputs(&properties, guard, &state);
        let mut recorded = None;
        let mut verified = self.context.program.properties.iter();
        if let Some(position) = verified.position(|&property| property == NoInfiniteRun) {
            let at_head = self.moves_from_head(blocks);
            let added = Recurrence::new(&mut self.terms, &state, at_head, &movers);
            recorded = added.state.first().map(|variable| variable.current);
            properties[position].bad = added.recurs;
            state.extend(added.state);
            inputs.push(added.input);
        }
        let initial_constraints = Vec::new();
        let invariant_constraints = self.distinct_numbers(&variables);
        let system = TransitionSystem {
            terms: self.terms,
            state,
            inputs,
            initial_constraints,
            guard,
            invariant_constraints,
            properties,
        };
        let threads = self.counters.keys().copied().collect();
        let scheduler = self.schedule.input;
        let (counters, inputs) = (self.counters, self.inputs);
        Assembly {
            system,
            blocks: blocks.len(),
            variables,
            recorded,
            scheduler,
            threads,
            counters,
            inputs,
        }
    }

    /// That the numbers of representatives differ, and are none that the program has without them.
    fn distinct_numbers(&mut self, variables: &[Variable]) -> Vec<Term> {
        let is_number = |variable: &&Variable| matches!(variable, Variable::Number(_));
        let numbers = variables.iter().filter(is_number);
        let numbers: Vec<Term> = numbers.map(|variable| self.symbols[variable]).collect();
        let others = self.context.instances.threads.keys();
        let others = others.filter(|&instance| !self.context.is_representative(instance));
        let others = others.map(|instance| u128::from(instance.number()));
        let fixed: Vec<u128> = others.chain([0]).collect();
        let mut constraints = Vec::new();
        for (position, &number) in numbers.iter().enumerate() {
            for &fixed in &fixed {
                let fixed = self.terms.bits(self.terms.width(number), fixed);
                constraints.push(self.terms.equal(number, fixed));
            }
            for &other in &numbers[..position] {
                constraints.push(self.terms.equal(number, other));
            }
        }
        let constraints = constraints.into_iter();
        constraints.map(|equal| self.terms.not(equal)).collect()
    }

    /// For every block the condition that it is executed.
    fn guards(&mut self, blocks: &[Block]) -> Vec<Term> {
        let mut free = BTreeMap::new();
        for &instance in self.counters.keys() {
            let mut conditions = vec![self.schedule.conditions[&instance]];
            for (&other, counter) in self
                .counters
                .iter()
                .filter(|(other, _)| **other != instance)
            {
                let excludes = counter.excludes_others(&mut self.terms, self.context, other);
                conditions.push(self.terms.not(excludes));
            }
            free.insert(instance, self.terms.and_all(conditions));
        }
        let mut guards = Vec::new();
        for block in blocks {
            let here = self.is_at_source(block);
            let enabled = self.terms.and(here, block.guard);
            guards.push(self.terms.and(free[&block.instance], enabled));
        }
        guards
    }

    /// Whether a thread moves from the head of a loop.
    fn moves_from_head(&mut self, blocks: &[Block]) -> Term {
        let mut heads: Vec<Term> = Vec::new();
        for (instance, head) in recurrence::heads(blocks) {
            let here = self.counters[&instance].is_at(&mut self.terms, Stop::Cut(head));
            let scheduled = self.schedule.conditions[&instance];
            heads.push(self.terms.and(scheduled, here));
        }
        self.terms.or_all(heads)
    }

    /// The threads to which runs have to be fair, if they have to. Where what a thread reads of inputs decides whether it is able to
    /// move, it is not said to be able: so more runs are fair.
    fn movers(&mut self, blocks: &[Block], guards: &[Term]) -> Vec<Mover> {
        if !self.context.options.fair {
            return Vec::new();
        }
        let inputs: BTreeSet<Term> = self.inputs.iter().map(|(_, input)| input).collect();
        let mut movers = Vec::new();
        for (number, &instance) in self.counters.keys().enumerate() {
            let scheduled = self.schedule.conditions[&instance];
            let own = blocks.iter().zip(guards);
            let own = own.filter(|(block, _)| block.instance == instance);
            let own: Vec<Term> = own.map(|(_, &guard)| guard).collect();
            let mut chosen = FxHashMap::default();
            if let Some(input) = self.schedule.input {
                let number = self.terms.bits(self.terms.width(input), number as u128);
                chosen.insert(input, number);
            }
            let mut able = self.terms.substitute(&own, &chosen);
            able.retain(|&able| {
                let symbols = self.terms.cone(&[able]);
                symbols.iter().all(|symbol| !inputs.contains(symbol))
            });
            movers.push(Mover {
                name: names::thread(self.context, instance),
                scheduled,
                able: self.terms.or_all(able),
            });
        }
        movers
    }

    fn is_at_source(&mut self, block: &Block) -> Term {
        self.counters[&block.instance].is_at(&mut self.terms, Stop::Cut(block.source))
    }

    /// The next values of the variables that some block changes: first the choice of the block by the place of the thread,
    /// around that the choice of the thread.
    fn next(&mut self, blocks: &[Block]) -> BTreeMap<Variable, Term> {
        let mut next: BTreeMap<Variable, Term> = BTreeMap::new();
        for thread in blocks.chunk_by(|a, b| a.instance == b.instance) {
            let scheduled = self.schedule.conditions[&thread[0].instance];
            for (variable, value) in self.next_of_thread(thread) {
                let before = next
                    .get(&variable)
                    .copied()
                    .unwrap_or(self.symbols[&variable]);
                next.insert(variable, self.terms.ite(scheduled, value, before));
            }
        }
        next
    }

    fn next_of_thread(&mut self, blocks: &[Block]) -> BTreeMap<Variable, Term> {
        let mut next: BTreeMap<Variable, Term> = BTreeMap::new();
        for block in blocks {
            let here = self.is_at_source(block);
            for (&variable, &value) in &block.updates {
                let before = next
                    .get(&variable)
                    .copied()
                    .unwrap_or(self.symbols[&variable]);
                next.insert(variable, self.terms.ite(here, value, before));
            }
        }
        next
    }

    fn initial(&mut self, variable: Variable) -> Option<Term> {
        let symbol = self.symbols[&variable];
        if let Variable::Pc(instance) = variable {
            let entry = Stop::Cut(self.context.template(instance).entry);
            let number = if instance == InstanceId::MAIN {
                self.counters[&instance].number(entry)
            } else {
                0
            };
            return Some(self.terms.bits(self.terms.width(symbol), number));
        }
        match initial(self.context, variable) {
            Constness::Constant(value) => Some(self.terms.constant(value)),
            Constness::Varying => None,
        }
    }

    /// The variables that guard or properties depend on, in the future too.
    fn needed(&self, mut roots: Vec<Term>, next: &BTreeMap<Variable, Term>) -> Vec<Variable> {
        let variables: BTreeMap<Term, Variable> = self
            .symbols
            .iter()
            .map(|(&variable, &term)| (term, variable))
            .collect();
        let mut seen = BTreeSet::new();
        let mut needed = BTreeSet::new();
        while let Some(term) = roots.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.terms.node(term);
            roots.extend(node.operands());
            if let (Node::Symbol(_), Some(&variable)) = (node, variables.get(&term)) {
                needed.insert(variable);
                roots.extend(next.get(&variable));
            }
        }
        needed.into_iter().collect()
    }

    /// The inputs that occur in the system, the scheduler first.
    fn used_inputs(
        &self,
        properties: &[Property],
        guard: Term,
        state: &[StateVariable],
    ) -> Vec<Term> {
        let mut roots: Vec<Term> = state.iter().filter_map(|variable| variable.next).collect();
        roots.extend(properties.iter().map(|property| property.bad));
        roots.push(guard);
        let cone: BTreeSet<Term> = self.terms.cone(&roots).into_iter().collect();
        let all = self.inputs.iter().map(|(_, term)| term);
        self.schedule
            .input
            .into_iter()
            .chain(all.filter(|term| cone.contains(term)))
            .collect()
    }
}
