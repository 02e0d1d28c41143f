//! One question about an unwinding: whether a run comes to some ends. Models whose event order graph has a cycle are excluded until none is
//! left or one is a run.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use abi::ids::InstanceId;
use certify::EventOrder;
use certify::event_order::{OrderedLink, OrderedPair, OrderedWrite};
use encode::counterexample::ModelValues;
use encode::semantics::path::Variable;
use solver::{Answer, FormulaSize, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Substitution, Term, Terms};
use system::transition_system::{Property, Reason as Stop, Role, TransitionSystem};

use crate::abstraction::Abstraction;
use crate::candidates::Candidates;
use crate::claim::{ClaimError, Literal};
use crate::engine::{Options, Statistics};
use crate::event::{End, EndKind, EventId, Unwinding};
use crate::exclusion::Exclusions;
use crate::graph::{ActiveEvents, ActiveLink, Atom, EventOrderGraph, Reason};
use crate::order::{OrderEncoding, OrderSize, literals};
use crate::widths::needed;

/// How long it is looked for a run for which a fact about all runs does not hold.
const CONFLICTS_OF_CHECK: u32 = 5_000;

/// Why no run comes to some ends: a formula that has no model, with what cycles exclude.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The formula as a system without state or transitions, whose property is violated if the formula has a model.
    pub system: TransitionSystem,
    /// What the formula says of the order of events.
    pub order: EventOrder,
    /// Literals that do not hold together because of the order of events; the formula says so.
    pub excluded: Vec<Vec<Term>>,
}

/// A model that is a run.
pub struct Run {
    /// What happens, in its order.
    pub order: Vec<EventId>,
    /// The end that it comes to.
    pub end: usize,
    /// What it was free to choose.
    pub values: Values,
    /// How many bits are written to variables of which less are looked at.
    too_wide: BTreeMap<Variable, u32>,
}

/// Why a round does not come to its end.
pub enum Pause {
    /// The search was stopped.
    Stopped(Stop),
    /// Numbers of so many bits are written to variables, of which less are looked at.
    TooWide(BTreeMap<Variable, u32>),
}

impl From<Stop> for Pause {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What a question depends on.
struct Formula<'s> {
    abstraction: Abstraction,
    /// The ends that are asked for, and before them those at which too much is written.
    goals: Vec<usize>,
    /// That a run comes to one of them; Boolean.
    goal: Term,
    /// That it does not end before; Boolean.
    possible: Term,
    /// What numbers of few bits stand for.
    substitution: Substitution,
    /// The order of events, if something is said of it.
    order: Option<OrderEncoding<'s>>,
}

/// A question about the ends of an unwinding.
pub struct Search<'s> {
    /// How to search.
    options: Options,
    /// Queries.
    queries: &'s mut QueryStatistics,
    /// Sizes.
    statistics: &'s mut Statistics,
    /// The threads.
    unwinding: &'s Unwinding,
    /// What reads may read from.
    candidates: &'s Candidates,
    /// The arena of the unwinding.
    terms: &'s mut Terms,
    /// How long to search.
    budget: &'s Budget,
    /// The questions that no model answers, with what cycles exclude.
    refuted: Vec<(Formula<'s>, Vec<Vec<Term>>)>,
}

impl<'s> Search<'s> {
    /// A search for which nothing was asked yet.
    pub fn new(
        options: Options,
        (queries, statistics): (&'s mut QueryStatistics, &'s mut Statistics),
        (unwinding, candidates): (&'s Unwinding, &'s Candidates),
        (terms, budget): (&'s mut Terms, &'s Budget),
    ) -> Self {
        Self {
            options,
            queries,
            statistics,
            unwinding,
            candidates,
            terms,
            budget,
            refuted: Vec::new(),
        }
    }

    /// Why no run came to any of the ends that were asked for.
    pub fn into_refutations(mut self) -> Vec<Refutation> {
        let refuted = std::mem::take(&mut self.refuted).into_iter();
        refuted
            .map(|(formula, excluded)| self.refutation(formula, excluded))
            .collect()
    }

    /// The kinds of some ends that threads come to, with a run to each.
    ///
    /// # Errors
    /// As those of [`Self::reach`].
    pub fn kinds(&mut self, ends: &[usize]) -> Result<BTreeMap<EndKind, Run>, Pause> {
        let mut open = ends.to_vec();
        let mut kinds = BTreeMap::new();
        while let Some(run) = self.reach(&open, &[])? {
            let kind = self.unwinding.ends[run.end].kind;
            kinds.insert(kind, run);
            open.retain(|&end| self.unwinding.ends[end].kind != kind);
        }
        Ok(kinds)
    }

    /// What a question depends on; nothing, if its answer is evident: no run comes to one of the ends.
    fn formula(&mut self, goals: &[usize], excluded: &[usize]) -> Option<Formula<'s>> {
        let guard = |&end: &usize| self.unwinding.ends[end].guard;
        let goal = self.terms.or_all(goals.iter().map(guard));
        if goal == self.terms.bool(false) {
            return None;
        }
        let excluded = excluded
            .iter()
            .filter(|&&end| self.unwinding.ends[end].partial);
        let excluded = self.terms.or_all(excluded.map(guard));
        let possible = self.terms.not(excluded);
        let size = OrderSize::of(self.options.scheduling);
        let (mut abstraction, mut substitution) = Abstraction::new(
            self.unwinding,
            self.candidates,
            (self.terms, literals(self.unwinding) <= size.literals),
            [goal, possible],
        );
        self.statistics.links = abstraction.links.len();
        // What comes first is the end of a run: less is known of what is behind an end that writes too much.
        let too_wide = abstraction.too_wide.iter().copied();
        let goals: Vec<usize> = too_wide.chain(goals.iter().copied()).collect();
        let goal = self.terms.or_all(goals.iter().map(guard));
        let goal = substitution.apply(self.terms, goal);
        let possible = substitution.apply(self.terms, possible);
        let order = abstraction.order(self.unwinding, self.candidates, self.terms, size);
        Some(Formula {
            abstraction,
            goals,
            goal,
            possible,
            substitution,
            order,
        })
    }

    /// A run in which a thread comes to one of some ends, and none to some others inside of atomic regions, where the run would end.
    ///
    /// # Errors
    /// The search was stopped, or a run that the question depends on writes more than is looked at.
    pub fn reach(&mut self, goals: &[usize], excluded: &[usize]) -> Result<Option<Run>, Pause> {
        let Some(mut formula) = self.formula(goals, excluded) else {
            return Ok(None);
        };
        let mut excluded = Vec::new();
        let mut solver = self.solver(&formula);
        solver.limit_conflicts(self.options.scheduling.patience());
        self.assert_goal(&mut solver, &formula);
        let mut found = self.refine(&mut solver, &formula, &mut excluded);
        if found.is_err() && self.budget.exhausted().is_none() {
            if let Some(exclusions) = self.exclusions(&mut formula) {
                self.absorb(&solver);
                solver = self.solver(&formula);
                let told = exclusions.prove(&mut solver, self.terms, self.budget)?;
                debug_assert!(self.follow(&formula, &told), "a run has overlapping blocks");
                self.assert_goal(&mut solver, &formula);
                for literals in &excluded {
                    let clause = self.negation(literals);
                    solver.assert(self.terms, clause);
                }
            }
            solver.limit_conflicts(u32::MAX);
            found = self.refine(&mut solver, &formula, &mut excluded);
        }
        self.absorb(&solver);
        let found = found?;
        if found.is_none() {
            self.refuted.push((formula, excluded));
        }
        match found {
            Some(run) if matches!(self.unwinding.ends[run.end].kind, EndKind::TooWide(_)) => {
                Err(Pause::TooWide(run.too_wide))
            }
            found => Ok(found),
        }
    }

    /// A solver that knows what all runs satisfy.
    fn solver(&self, formula: &Formula<'_>) -> Measured {
        let solver = self
            .options
            .backend
            .solver(self.budget, Workload::Refinement);
        let mut solver = Measured::new(solver);
        for &constraint in &formula.abstraction.constraints {
            solver.assert(self.terms, constraint);
        }
        solver
    }

    fn assert_goal(&self, solver: &mut Measured, formula: &Formula<'_>) {
        for goal in [formula.goal, formula.possible] {
            solver.assert(self.terms, goal);
        }
    }

    /// What is guessed of blocks that exclude each other.
    fn exclusions(&mut self, formula: &mut Formula<'_>) -> Option<Exclusions> {
        let order = formula.order.as_ref()?;
        Exclusions::new(
            (self.unwinding, self.candidates),
            (&formula.abstraction, order),
            &mut formula.substitution,
            self.terms,
        )
    }

    /// Whether no run is found soon for which one of some facts does not hold.
    fn follow(&mut self, formula: &Formula<'_>, facts: &[Term]) -> bool {
        let mut solver = self.solver(formula);
        solver.limit_conflicts(CONFLICTS_OF_CHECK);
        let wrong = self.negation(facts);
        solver.assert(self.terms, wrong);
        let found = self.refine(&mut solver, formula, &mut Vec::new());
        !matches!(found, Ok(Some(_)))
    }

    /// Counts the queries of a solver, and how large its formula is.
    fn absorb(&mut self, solver: &Measured) {
        self.queries.absorb(solver.statistics());
        let largest = |size: &Option<FormulaSize>| size.map(|size| size.clauses);
        let sizes = [self.statistics.formula, solver.size()];
        self.statistics.formula = sizes.into_iter().max_by_key(largest).flatten();
    }

    /// The formula of the same question, with what is said to be excluded by the order of events.
    ///
    /// # Errors
    /// It names literals that are not there.
    pub fn claimed(
        &mut self,
        (goals, others): (&[usize], &[usize]),
        excluded: &mut impl Iterator<Item = Vec<Vec<Literal>>>,
    ) -> Result<(), ClaimError> {
        let Some(formula) = self.formula(goals, others) else {
            return Ok(());
        };
        let order = self.event_order(&formula.abstraction);
        let unusable = ClaimError::Unusable("it is about another formula");
        let excluded = excluded.next().ok_or_else(|| unusable.clone())?;
        let always = self.terms.bool(true);
        let literals = |named: Vec<Literal>| {
            let literals = named.into_iter().map(|literal| literal.of(&order));
            literals.chain([Some(always)]).collect()
        };
        let excluded: Option<Vec<Vec<Term>>> = excluded.into_iter().map(literals).collect();
        self.refuted.push((formula, excluded.ok_or(unusable)?));
        Ok(())
    }

    fn refutation(&mut self, formula: Formula<'_>, excluded: Vec<Vec<Term>>) -> Refutation {
        let order = self.event_order(&formula.abstraction);
        let mut constraints = formula.abstraction.constraints;
        for literals in &excluded {
            constraints.push(self.negation(literals));
        }
        let bad = self.terms.and(formula.goal, formula.possible);
        let mut roots = constraints.clone();
        roots.push(bad);
        let cone = self.terms.cone(&roots).into_iter();
        let guard = self.terms.bool(false);
        let system = TransitionSystem {
            inputs: cone.filter(|&term| self.terms.is_symbol(term)).collect(),
            terms: self.terms.clone(),
            state: Vec::new(),
            initial_constraints: Vec::new(),
            guard,
            invariant_constraints: constraints,
            properties: vec![Property {
                name: "end".into(),
                role: Role::Violation,
                bad,
            }],
        };
        Refutation {
            system,
            order,
            excluded,
        }
    }

    /// What the separate check of cycles needs to know of events.
    fn event_order(&self, abstraction: &Abstraction) -> EventOrder {
        let numbers = abstraction.variables.iter().zip(0..);
        let numbers: BTreeMap<Variable, u32> = numbers
            .map(|(&variable, number)| (variable, number))
            .collect();
        let position = |event: EventId| event.as_u32() as usize;
        let threads = self.unwinding.events.values();
        let creations = self.unwinding.creations.iter();
        let links = abstraction.links.iter().map(|link| {
            let read = self.unwinding.events[link.read.event].reads[link.read.index];
            OrderedLink {
                literal: link.literal,
                variable: numbers[&read.variable],
                write: position(link.write.event),
                read: position(link.read.event),
            }
        });
        let orders = abstraction.orders.iter().map(|order| OrderedPair {
            literal: order.literal,
            first: position(order.first),
            then: position(order.then),
        });
        let writes = self.candidates.writes.iter();
        let writes = writes.filter_map(|(variable, all)| Some((*numbers.get(variable)?, all)));
        let writes = writes.flat_map(|(variable, all)| {
            all.iter().map(move |&id| OrderedWrite {
                literal: self.unwinding.write(id).guard,
                variable,
                event: position(id.event),
            })
        });
        EventOrder {
            threads: threads
                .map(|event| event.instance.map(|instance| instance.0))
                .collect(),
            creations: creations
                .map(|(&thread, &creation)| (thread.0, position(creation)))
                .collect(),
            links: links.collect(),
            writes: writes.collect(),
            orders: orders.collect(),
        }
    }

    /// Excludes models until one is a run.
    fn refine(
        &mut self,
        solver: &mut Measured,
        formula: &Formula<'_>,
        excluded: &mut Vec<Vec<Term>>,
    ) -> Result<Option<Run>, Stop> {
        let Formula {
            abstraction, goals, ..
        } = formula;
        loop {
            let reasons = match solver.check("abstraction", self.terms, &[]) {
                Answer::Unsat(_) => return Ok(None),
                Answer::Unknown(stop) => return Err(stop),
                Answer::Sat(mut model) => {
                    self.statistics.rounds += 1;
                    let mut holds = |&end: &usize| {
                        let guard = self.unwinding.ends[end].guard;
                        model.holds(self.terms, guard)
                    };
                    let reached: Vec<usize> = goals.iter().copied().filter(&mut holds).collect();
                    let threads = reached.iter().map(|&end| self.unwinding.ends[end].instance);
                    let threads: BTreeSet<InstanceId> = threads.collect();
                    let start = Instant::now();
                    let active = self.active(abstraction, &mut model, threads);
                    let order = EventOrderGraph::new(self.unwinding, &active).linearise();
                    self.statistics.validation += start.elapsed();
                    match order {
                        Ok(order) => {
                            let (end, order) = self.first(&reached, &order);
                            let values = Values::new(self.unwinding, self.terms, &mut model);
                            let too_wide = self.too_wide(&reached, &mut model);
                            return Ok(Some(Run {
                                order,
                                end,
                                values,
                                too_wide,
                            }));
                        }
                        Err(reasons) => reasons,
                    }
                }
            };
            let start = Instant::now();
            for reason in reasons {
                let literals = self.literals(&reason, abstraction);
                let clause = self.negation(&literals);
                solver.assert(self.terms, clause);
                self.statistics.clauses += 1;
                excluded.push(literals);
            }
            self.statistics.refinement += start.elapsed();
            if let Some(stop) = self.budget.exhausted() {
                return Err(stop);
            }
        }
    }

    /// How many bits are written where less are looked at.
    fn too_wide(&self, reached: &[usize], model: &mut Model<'_>) -> BTreeMap<Variable, u32> {
        let mut found = BTreeMap::new();
        for narrowed in self.unwinding.narrowed.values() {
            if let EndKind::TooWide(variable) = self.unwinding.ends[narrowed.end].kind
                && reached.contains(&narrowed.end)
            {
                let bits = needed(model.value(self.terms, narrowed.value));
                let known = found.entry(variable).or_insert(bits);
                *known = bits.max(*known);
            }
        }
        found
    }

    /// The end that comes first in an order of events, with what is in order before it.
    fn first(&self, ends: &[usize], order: &[EventId]) -> (usize, Vec<EventId>) {
        let events = &self.unwinding.events;
        let length = |&end: &usize| {
            let End {
                instance, event, ..
            } = self.unwinding.ends[end];
            let leads = |other: &EventId| {
                events[*other].instance == Some(instance) && Some(*other) <= event
            };
            order.iter().rposition(leads).map_or(0, |last| last + 1)
        };
        let first = ends.iter().copied().min_by_key(length).unwrap_or_default();
        (first, order[..length(&first)].to_vec())
    }

    /// The literals of a reason, but for those that say what its links imply: that their writes happen. What always holds is among them.
    fn literals(&mut self, reason: &Reason, abstraction: &Abstraction) -> Vec<Term> {
        let holds = |atom: &Atom| match atom {
            Atom::Holds(literal) => Some(*literal),
            Atom::Assumed(_) => None,
        };
        let literals: BTreeSet<Term> = reason.iter().filter_map(holds).collect();
        let links = abstraction.links.iter();
        let implied = links.filter(|link| literals.contains(&link.literal));
        let implied: BTreeSet<Term> = implied
            .map(|link| self.unwinding.write(link.write).guard)
            .collect();
        let own = |literal: &Term| {
            abstraction
                .links
                .iter()
                .any(|link| link.literal == *literal)
                || !implied.contains(literal)
        };
        let always = self.terms.bool(true);
        literals.into_iter().filter(own).chain([always]).collect()
    }

    /// What happens in a model.
    fn active(
        &self,
        abstraction: &Abstraction,
        model: &mut Model<'_>,
        mut threads: BTreeSet<InstanceId>,
    ) -> ActiveEvents {
        let (unwinding, terms) = (self.unwinding, &*self.terms);
        let mut active = ActiveEvents::default();
        for &variable in &abstraction.variables {
            let mut happen = Vec::new();
            for &id in &self.candidates.writes[&variable] {
                let guard = unwinding.write(id).guard;
                if model.holds(terms, guard) {
                    happen.push((id.event, guard));
                    active.events.insert(id.event);
                }
            }
            active.writes.insert(variable, happen);
        }
        for link in &abstraction.links {
            let event = &unwinding.events[link.read.event];
            if model.holds(terms, event.guard) && model.holds(terms, link.literal) {
                active.events.insert(link.read.event);
                active.links.push(ActiveLink {
                    variable: event.reads[link.read.index].variable,
                    write: link.write.event,
                    read: link.read.event,
                    literal: link.literal,
                });
            }
        }
        for &id in &abstraction.sums {
            let event = &unwinding.events[id.event];
            if model.holds(terms, event.guard) {
                let sum = &self.candidates.sums[&event.reads[id.index].variable];
                active.events.extend([sum.base.event, id.event]);
                for &(write, _) in &sum.added {
                    if model.holds(terms, unwinding.write(write).guard) {
                        active.events.insert(write.event);
                    }
                }
            }
        }
        for &order in &abstraction.orders {
            let happen = [order.first, order.then].map(|event| active.events.contains(&event));
            if happen == [true; 2] && model.holds(terms, order.literal) {
                active.orders.push(order);
            }
        }
        let events = active.events.iter();
        threads.extend(events.filter_map(|&event| unwinding.events[event].instance));
        for thread in creators(unwinding, threads) {
            active
                .events
                .extend(unwinding.threads[&thread].events.first());
            active.events.extend(unwinding.creations.get(&thread));
        }
        active
    }

    /// That not all literals hold.
    fn negation(&mut self, literals: &[Term]) -> Term {
        let terms = &mut *self.terms;
        let negations: Vec<Term> = literals.iter().map(|&literal| terms.not(literal)).collect();
        terms.or_all(negations)
    }
}

/// Some threads, and those that create them.
fn creators(unwinding: &Unwinding, mut threads: BTreeSet<InstanceId>) -> BTreeSet<InstanceId> {
    let mut open: Vec<InstanceId> = threads.iter().copied().collect();
    while let Some(thread) = open.pop() {
        let creation = unwinding.creations.get(&thread);
        let creator = creation.and_then(|&event| unwinding.events[event].instance);
        open.extend(creator.filter(|&creator| threads.insert(creator)));
    }
    threads
}

/// What a model says of the values that the semantics leaves open.
#[derive(Debug, Default)]
pub struct Values {
    inputs: BTreeMap<(InstanceId, u32, u32), u128>,
    variables: BTreeMap<Variable, u128>,
}

impl Values {
    fn new(unwinding: &Unwinding, terms: &Terms, model: &mut Model<'_>) -> Self {
        let mut values = Self::default();
        for (&instance, thread) in &unwinding.threads {
            for ((width, index), term) in thread.inputs.iter() {
                let value = model.value(terms, term).bits();
                values.inputs.insert((instance, width, index), value);
            }
        }
        for (&variable, &first) in &unwinding.first {
            let value = model.value(terms, first).bits();
            values.variables.insert(variable, value);
        }
        for event in unwinding.events.values() {
            for write in &event.writes {
                if matches!(write.variable, Variable::Result(_)) && model.holds(terms, write.guard)
                {
                    let value = model.value(terms, write.value).bits();
                    values.variables.insert(write.variable, value);
                }
            }
        }
        values
    }
}

impl ModelValues for Values {
    fn input(&self, instance: InstanceId, width: u32, index: u32) -> u128 {
        let value = self.inputs.get(&(instance, width, index));
        value.copied().unwrap_or_default()
    }

    fn variable(&self, variable: Variable) -> u128 {
        self.variables.get(&variable).copied().unwrap_or_default()
    }
}
