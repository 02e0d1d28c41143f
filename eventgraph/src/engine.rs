//! The refinement loop: unwind, abstract, and exclude models whose event order graph has a cycle, until none is left or one is a run.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use certify::EventOrder;
use certify::event_order::{OrderedLink, OrderedPair, OrderedWrite};
use encode::constant_propagation::{ConstantPropagation, Knowledge};
use encode::context::EncodingContext;
use encode::counterexample::{ModelValues, is_of_statements};
use encode::semantics::path::Variable;
use encode::semantics::sink::Sink;
use instrument::Concurrency;
use program::model::{Instances, Program};
use program::points_to::PointsTo;
use solver::{Answer, Backend, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Term, Terms};
use system::transition_system::{Property, Reason as Stop, Role, TransitionSystem};

use crate::abstraction::Abstraction;
use crate::candidates::Candidates;
use crate::event::{End, EndKind, EventId, Unwinding};
use crate::graph::{ActiveEvents, ActiveLink, Atom, EventOrderGraph, Reason};
use crate::loops::{Forests, Loop, LoopForest, UnwindingBounds};
use crate::order::literals;
use crate::schedule::{ScheduleError, Scheduler};
use crate::unwinding::unwind;
use crate::widths::{Widths, needed};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often the header of a loop may be passed again; deepened by the engine if absent.
    pub unwind: Option<u32>,
    /// What is said from the start of the order of events.
    pub scheduling: Scheduling,
    /// The solver.
    pub backend: Backend,
}

/// What is said from the start of the order of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduling {
    /// Nothing (the paper): models whose event order graph has a cycle are excluded one after the other.
    Refined,
    /// All but cycles among three threads and more, where that is not too large.
    #[default]
    Encoded,
}

/// So many literals may say of the order of events.
const ORDER_LITERALS: usize = 1 << 20;

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

/// What was found out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A run violates a property.
    Violation(Schedule),
    /// No run does, nor meets a limit.
    Safe(Vec<Refutation>),
    /// No run violates a property; some meet these limits.
    Limits(Vec<Sink>),
    /// No run violates a property whose loops are passed at most so often; some go on.
    Unwound(u32),
    /// The search was stopped.
    Stopped(Stop, Option<u32>),
    /// No run violates a property otherwise than by an access that is invalid in the model alone.
    Stray(SiteId),
    /// A run in which a number looks like an address.
    LooksLikeAddress,
    /// A fault of this engine.
    Fault(ScheduleError),
}

/// How large formulas became, and how they were refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Events.
    pub events: usize,
    /// Reads with their candidates.
    pub links: usize,
    /// Models whose graph was looked at.
    pub rounds: usize,
    /// Clauses that were added because of cycles.
    pub clauses: usize,
}

/// The engine.
pub struct Engine<'a> {
    context: EncodingContext<'a>,
    concurrency: Concurrency,
    /// What variables hold at any time.
    known: Knowledge,
    forests: Forests,
    options: Options,
    /// An access that is invalid in the model alone: that accesses are invalid is no violation from then on.
    stray: Option<SiteId>,
    /// Queries.
    pub queries: QueryStatistics,
    /// Sizes, of the last unwinding.
    pub statistics: Statistics,
}

/// A model that is a run.
struct Run {
    order: Vec<EventId>,
    end: usize,
    values: Values,
    /// How many bits are written to variables of which less are looked at.
    too_wide: BTreeMap<Variable, u32>,
}

impl<'a> Engine<'a> {
    /// An engine for a program.
    pub fn new(
        program: &'a Program,
        instances: &'a Instances,
        points_to: &'a PointsTo,
        encoding: encode::Options,
        options: Options,
    ) -> Self {
        let context = EncodingContext::new(program, instances, points_to, encoding);
        let forests = program
            .templates
            .iter()
            .map(|(id, template)| LoopForest::new(template, &context.automata[id].graph));
        Self {
            forests: forests.collect(),
            concurrency: Concurrency::new(program, instances, points_to),
            known: ConstantPropagation::analyse(&context).all,
            context,
            options,
            stray: None,
            queries: QueryStatistics::default(),
            statistics: Statistics::default(),
        }
    }

    /// Searches for violations.
    pub fn check(&mut self, budget: &Budget) -> Outcome {
        let mut bounds = UnwindingBounds::all(self.options.unwind.unwrap_or(1));
        let mut widths = Widths::default();
        let mut searched = None;
        loop {
            match self.round(&bounds, &mut widths, budget) {
                Err(Pause::Stopped(stop)) => return Outcome::Stopped(stop, searched),
                Err(Pause::TooWide(variables)) => {
                    for (variable, needed) in variables {
                        widths.widen(&self.context, variable, needed);
                    }
                    widths.after_round();
                }
                Ok(Round::Decided(Outcome::Stray(site))) if self.stray.is_none() => {
                    self.stray = Some(site);
                }
                Ok(Round::Decided(outcome)) => return outcome,
                Ok(Round::Beyond(loops)) => {
                    searched = Some(bounds.largest());
                    if self.options.unwind.is_some() {
                        return Outcome::Unwound(bounds.largest());
                    }
                    loops.into_iter().for_each(|which| bounds.double(which));
                }
            }
        }
    }

    /// All threads within bounds, with as many bits of variables as are evident.
    fn unwind(
        &self,
        bounds: &UnwindingBounds,
        widths: &mut Widths,
        budget: &Budget,
    ) -> Result<(Terms, Unwinding), Stop> {
        loop {
            let mut terms = Terms::new();
            let unwinding = unwind(
                &self.context,
                (&self.concurrency, &self.known),
                &self.forests,
                (bounds, widths),
                (&mut terms, budget),
            );
            if let Some(stop) = budget.exhausted() {
                return Err(stop);
            }
            if unwinding.evident_widths.is_empty() {
                return Ok((terms, unwinding));
            }
            for (&variable, &bits) in &unwinding.evident_widths {
                widths.raise(&self.context, variable, bits);
            }
        }
    }

    fn round(
        &mut self,
        bounds: &UnwindingBounds,
        widths: &mut Widths,
        budget: &Budget,
    ) -> Result<Round, Pause> {
        let (mut terms, unwinding) = self.unwind(bounds, widths, budget)?;
        let candidates = Candidates::new(&unwinding, &mut terms, budget);
        if let Some(stop) = budget.exhausted() {
            return Err(Pause::Stopped(stop));
        }
        let sums = candidates.sums.iter();
        let too_wide = sums.filter_map(|(&variable, sum)| {
            let bits = widths.of(&self.context, variable)?;
            (bits < sum.width).then_some((variable, sum.width))
        });
        let too_wide: BTreeMap<Variable, u32> = too_wide.collect();
        if !too_wide.is_empty() {
            return Err(Pause::TooWide(too_wide));
        }
        self.statistics.events = unwinding.events.len();
        let is_of_program = |&end: &usize| !matches!(unwinding.ends[end].kind, EndKind::TooWide(_));
        let (violations, limits): (Vec<usize>, Vec<usize>) = (0..unwinding.ends.len())
            .filter(is_of_program)
            .partition(|&end| is_violation(&unwinding.ends[end], self.stray.is_some()));
        let mut search = Search {
            engine: self,
            unwinding: &unwinding,
            candidates: &candidates,
            terms: &mut terms,
            budget,
            refutations: Vec::new(),
        };
        if let Some(run) = search.reach(&violations, &limits)? {
            let end = &unwinding.ends[run.end];
            let scheduler = Scheduler::new(&self.context, (&self.forests, bounds), &unwinding);
            return Ok(Round::Decided(
                match scheduler.run(&run.order, end, &run.values) {
                    Ok(schedule) => Outcome::Violation(schedule),
                    Err(ScheduleError::Stray(site)) => Outcome::Stray(site),
                    Err(_) if self.context.instances.has_numbers() => Outcome::LooksLikeAddress,
                    Err(error) => Outcome::Fault(error),
                },
            ));
        }
        let (unwound, limits): (Vec<usize>, Vec<usize>) = limits
            .into_iter()
            .partition(|&end| matches!(unwinding.ends[end].kind, EndKind::Unwinding(_)));
        let beyond = search.kinds(unwound)?.into_iter();
        let beyond: BTreeSet<Loop> = beyond.filter_map(EndKind::unwound).collect();
        if !beyond.is_empty() {
            return Ok(Round::Beyond(beyond));
        }
        let met = search.kinds(limits)?.into_iter();
        let met: Vec<Sink> = met.filter_map(EndKind::sink).collect();
        let refutations = search.refutations;
        Ok(Round::Decided(match (self.stray, met.is_empty()) {
            (Some(site), _) => Outcome::Stray(site),
            (None, true) => Outcome::Safe(refutations),
            (None, false) => Outcome::Limits(met),
        }))
    }
}

/// Whether an end violates a property; invalid accesses may be none.
fn is_violation(end: &End, but_accesses: bool) -> bool {
    match end.kind {
        EndKind::Sink(Sink::Error(property)) => !but_accesses || !is_of_statements(property),
        EndKind::Sink(_) | EndKind::Unwinding(_) | EndKind::TooWide(_) => false,
    }
}

/// Why a round does not come to its end.
enum Pause {
    Stopped(Stop),
    /// Numbers of so many bits are written to variables, of which less are looked at.
    TooWide(BTreeMap<Variable, u32>),
}

impl From<Stop> for Pause {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What a round of unwinding found out.
enum Round {
    Decided(Outcome),
    /// Loops that have to be unwound further.
    Beyond(BTreeSet<Loop>),
}

struct Search<'s, 'a> {
    engine: &'s mut Engine<'a>,
    unwinding: &'s Unwinding,
    candidates: &'s Candidates,
    terms: &'s mut Terms,
    budget: &'s Budget,
    /// Why no run came to any of the ends that were asked for.
    refutations: Vec<Refutation>,
}

impl Search<'_, '_> {
    /// The kinds of some ends that threads come to.
    fn kinds(&mut self, mut open: Vec<usize>) -> Result<BTreeSet<EndKind>, Pause> {
        let mut kinds = BTreeSet::new();
        while let Some(run) = self.reach(&open, &[])? {
            let kind = self.unwinding.ends[run.end].kind;
            kinds.insert(kind);
            open.retain(|&end| self.unwinding.ends[end].kind != kind);
        }
        Ok(kinds)
    }

    /// A run in which a thread comes to one of some ends, and none to some others inside of atomic regions, where the run would end.
    ///
    /// # Errors
    /// The search was stopped, or a run that the question depends on writes more than is looked at.
    fn reach(&mut self, goals: &[usize], excluded: &[usize]) -> Result<Option<Run>, Pause> {
        let guard = |&end: &usize| self.unwinding.ends[end].guard;
        let goal = self.terms.or_all(goals.iter().map(guard));
        if goal == self.terms.bool(false) {
            return Ok(None);
        }
        let excluded = excluded
            .iter()
            .filter(|&&end| self.unwinding.ends[end].partial);
        let excluded = self.terms.or_all(excluded.map(guard));
        let possible = self.terms.not(excluded);
        let limit = match self.engine.options.scheduling {
            Scheduling::Refined => 0,
            Scheduling::Encoded => ORDER_LITERALS,
        };
        let (mut abstraction, mut substitution) = Abstraction::new(
            self.unwinding,
            self.candidates,
            (self.terms, literals(self.unwinding) <= limit),
            [goal, possible],
        );
        self.engine.statistics.links = abstraction.links.len();
        // What comes first is the end of a run: less is known of what is behind an end that writes too much.
        let too_wide = abstraction.too_wide.iter().copied();
        let goals: Vec<usize> = too_wide.chain(goals.iter().copied()).collect();
        let goal = self.terms.or_all(goals.iter().map(guard));
        let goal = substitution.apply(self.terms, goal);
        let possible = substitution.apply(self.terms, possible);
        abstraction.order(self.unwinding, self.candidates, self.terms, limit);
        let solver = self
            .engine
            .options
            .backend
            .solver(self.budget, Workload::LongQueries);
        let mut solver = Measured::new(solver);
        for &constraint in abstraction.constraints.iter().chain([&goal, &possible]) {
            solver.assert(self.terms, constraint);
        }
        let mut excluded = Vec::new();
        let found = self.refine(&mut solver, &abstraction, &goals, &mut excluded);
        self.engine.queries.absorb(solver.statistics());
        let found = found?;
        if found.is_none() {
            let refutation = self.refutation(abstraction, (goal, possible), excluded);
            self.refutations.push(refutation);
        }
        match found {
            Some(run) if matches!(self.unwinding.ends[run.end].kind, EndKind::TooWide(_)) => {
                Err(Pause::TooWide(run.too_wide))
            }
            found => Ok(found),
        }
    }

    fn refutation(
        &mut self,
        abstraction: Abstraction,
        (goal, possible): (Term, Term),
        excluded: Vec<Vec<Term>>,
    ) -> Refutation {
        let order = self.event_order(&abstraction);
        let mut constraints = abstraction.constraints;
        for literals in &excluded {
            constraints.push(self.negation(literals));
        }
        let bad = self.terms.and(goal, possible);
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
        abstraction: &Abstraction,
        goals: &[usize],
        excluded: &mut Vec<Vec<Term>>,
    ) -> Result<Option<Run>, Stop> {
        loop {
            let reasons = match solver.check("abstraction", self.terms, &[]) {
                Answer::Unsat(_) => return Ok(None),
                Answer::Unknown(stop) => return Err(stop),
                Answer::Sat(mut model) => {
                    self.engine.statistics.rounds += 1;
                    let mut holds = |&end: &usize| {
                        let guard = self.unwinding.ends[end].guard;
                        model.holds(self.terms, guard)
                    };
                    let reached: Vec<usize> = goals.iter().copied().filter(&mut holds).collect();
                    let threads = reached.iter().map(|&end| self.unwinding.ends[end].instance);
                    let threads: BTreeSet<InstanceId> = threads.collect();
                    let active = self.active(abstraction, &mut model, threads);
                    match EventOrderGraph::new(self.unwinding, &active).linearise() {
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
            for reason in reasons {
                let literals = self.literals(&reason, abstraction);
                let clause = self.negation(&literals);
                solver.assert(self.terms, clause);
                self.engine.statistics.clauses += 1;
                excluded.push(literals);
            }
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
struct Values {
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
