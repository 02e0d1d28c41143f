//! The search algorithm.

use std::collections::BTreeSet;

use abi::ids::{InstanceId, SiteId};
use abi::schedule::{Event, Schedule};
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::choices::Choices;
use super::cycles::{Edge, Turns};
use super::frontier::Frontier;
use super::points::{SchedulingPoint, points};
use super::store::Store;
use super::{
    Exploration, Explored, FoundViolation, Incompleteness, LimitMet, SearchLimits, SearchVerdict,
};
use crate::interpret::{AdvanceResult, Executed, Interpreter, State, replay};
use program::model::{
    Instances, LimitKind, LocationId, LocationKind, ObjectId, Program, Property, Statement,
    TemplateId, Undefined,
};

/// The turn of the only thread ends after so many statements, so that a loop ends in a state that is kept.
const LONGEST_TURN: u32 = 256;

/// What a turn does before its first choice is repeated for each answer, unless it is at least so many statements.
const LONG_BEGINNING: u32 = 8;

/// Runs that go on for ever are looked for first at so many kept states, then each time that there are twice as many.
const FIRST_LOOK: usize = 1 << 10;

/// So many errors may be rejected; the search ends at the next one.
const REJECTIONS: u32 = 1_000;

/// Whether a run counts that ends in an error.
pub(super) type Accept<'a> = &'a dyn Fn(&Schedule) -> bool;

/// A search that was not run yet.
pub(super) struct Search<'a> {
    program: &'a Program,
    instances: &'a Instances,
    limits: &'a SearchLimits,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        program: &'a Program,
        instances: &'a Instances,
        limits: &'a SearchLimits,
    ) -> Self {
        Self {
            program,
            instances,
            limits,
        }
    }

    fn looks_for_cycles(&self) -> bool {
        self.program.properties.contains(&Property::NoInfiniteRun)
    }

    /// Searches; shows every state once, and stops at the first error that is accepted if told so. Hands out what it kept.
    pub(super) fn run(
        self,
        visit: &mut dyn FnMut(&State),
        accept: Option<Accept<'_>>,
    ) -> (Exploration, Explored) {
        let interpreter = Interpreter::new(self.program, self.instances);
        let scheduling = self.limits.scheduling;
        let mut run = Run {
            instances: self.instances,
            limits: self.limits,
            interpreter: &interpreter,
            points: self
                .program
                .templates
                .values()
                .map(|template| points(self.program, template, scheduling))
                .collect(),
            store: Store::new(&interpreter, self.instances),
            choices: Choices::new(self.program, self.instances, self.limits),
            frontier: Frontier::new(self.limits.shortest),
            parents: Vec::new(),
            taken: self.looks_for_cycles().then(Turns::default),
            next_look: FIRST_LOOK,
            reasons: BTreeSet::new(),
            dangling: BTreeSet::new(),
            new_dangling: None,
            transitions: 0,
            statements: 0,
            turns: 0,
            beginning: Beginning::Unknown,
            given_up: None,
            keeps_all: accept.is_none(),
            rejected: None,
            rejections: 0,
        };
        let verdict = run.search(visit, accept);
        let exploration = Exploration {
            verdict,
            states: run.store.len() as u64,
            transitions: run.transitions,
            statements: run.statements,
        };
        let explored = Explored {
            kept: run.store.into_kept(),
            points: run.points,
            complete_width: self.limits.complete_width,
            scheduling,
        };
        (exploration, explored)
    }
}

/// A search in progress.
struct Run<'a> {
    instances: &'a Instances,
    limits: &'a SearchLimits,
    interpreter: &'a Interpreter<'a>,
    points: PrimaryMap<TemplateId, SecondaryMap<LocationId, SchedulingPoint>>,
    store: Store<'a>,
    choices: Choices<'a>,
    frontier: Frontier,
    /// For each kept state the one it was reached from, and by whose turn.
    parents: Vec<(u32, InstanceId)>,
    /// The turns between kept states, if runs that go on for ever are looked for.
    taken: Option<Turns>,
    /// At so many kept states these are looked for next.
    next_look: usize,
    reasons: BTreeSet<Incompleteness>,
    /// Uses of objects that were freed before, without the places where they were freed: one run to each tells where.
    dangling: BTreeSet<(SiteId, String)>,
    /// The one that the current turn ends in, if it is the first.
    new_dangling: Option<Dangling>,
    transitions: u64,
    statements: u64,
    /// How many turns were taken, with all choices.
    turns: u64,
    /// What all runs of the current turn have in common.
    beginning: Beginning,
    /// Why the search ended among the choices of a turn.
    given_up: Option<Incompleteness>,
    /// Whether states are kept, too, between which only one thread runs and nothing is chosen.
    keeps_all: bool,
    /// The first error that was not accepted.
    rejected: Option<FoundViolation>,
    /// How many were not.
    rejections: u32,
}

/// A use of an object that was freed before.
#[derive(Clone, Copy)]
struct Dangling {
    undefined: Undefined,
    object: ObjectId,
    site: SiteId,
}

/// What a turn does before its first choice: the same whatever is answered.
enum Beginning {
    /// No choice was met yet.
    Unknown,
    /// So many statements.
    Statements(u32),
    /// So many statements, after which the state consists of these parts.
    Stored(u32, Vec<u32>),
}

/// How a turn ended.
enum Turn {
    /// At a state to keep.
    Kept,
    /// Where a property is violated, by the edge of a site.
    Error(Property, SiteId),
    /// With the run, which the thread has ended.
    Ended,
    /// In a state from which nothing goes on, or it could not be taken.
    Dead,
}

impl Run<'_> {
    fn search(
        &mut self,
        visit: &mut dyn FnMut(&State),
        accept: Option<Accept<'_>>,
    ) -> SearchVerdict {
        let (root, _) = self.store.keep();
        self.parents.push((root, InstanceId::MAIN));
        self.frontier.push(root);
        visit(self.store.current());
        while let Some(state) = self.frontier.pop() {
            if self.store.len() as u64 > self.limits.states.min(u64::from(u32::MAX - 1)) {
                return self.gives_up(Incompleteness::States(self.limits.states));
            }
            if self.store.len() >= self.next_look {
                self.next_look *= 2;
                if let Some(verdict) = self.cycle(accept) {
                    return verdict;
                }
            }
            self.store.load(state);
            let only = self.only_mover();
            for instance in self.instances.threads.keys() {
                if only.is_none_or(|only| only == instance)
                    && let Some(violation) = self.turns(state, instance, visit)
                    && let Some(accept) = accept
                {
                    if accept(&violation.schedule) || self.rejections == REJECTIONS {
                        return SearchVerdict::Unsafe(violation);
                    }
                    self.rejections += 1;
                    self.rejected.get_or_insert(violation);
                }
                if let Some(reason) = self.given_up.take() {
                    return self.gives_up(reason);
                }
            }
        }
        if let Some(verdict) = self.cycle(accept) {
            return verdict;
        }
        match self.reasons.is_empty() && self.rejected.is_none() {
            true => SearchVerdict::Safe(()),
            false => self.unknown(),
        }
    }

    /// A run that goes on for ever among the turns taken so far; UNSAFE if it is accepted.
    fn cycle(&mut self, accept: Option<Accept<'_>>) -> Option<SearchVerdict> {
        let accept = accept?;
        let cycle = self
            .taken
            .as_ref()?
            .cycle(self.store.len(), self.limits.fair)?;
        let first = cycle.first()?;
        let counted = (self.transitions, self.statements);
        let mut events = self.events_to(first.from);
        let repeats_from = events.len();
        events.extend(cycle.iter().filter_map(|edge| self.turn_between(*edge)));
        (self.transitions, self.statements) = counted;
        let instance = first.instance;
        self.store.load(first.from);
        let edge = self.interpreter.next_edge(self.store.current(), instance)?;
        let violation = FoundViolation {
            schedule: scheduled(events, Some(repeats_from)),
            instance,
            site: self.interpreter.template(instance).edges[edge].site,
            property: Property::NoInfiniteRun,
        };
        if accept(&violation.schedule) {
            return Some(SearchVerdict::Unsafe(violation));
        }
        self.rejected.get_or_insert(violation);
        None
    }

    fn gives_up(&mut self, reason: Incompleteness) -> SearchVerdict {
        self.reasons.insert(reason);
        self.unknown()
    }

    /// What is known without an error that counts.
    fn unknown(&mut self) -> SearchVerdict {
        match self.rejected.take() {
            Some(rejected) => SearchVerdict::Unsafe(rejected),
            None => SearchVerdict::Unknown(self.reasons.iter().cloned().collect()),
        }
    }

    /// The only thread that may take the next turn, if there is a thread that no other thread may interrupt.
    fn only_mover(&self) -> Option<InstanceId> {
        let state = self.store.current();
        let going = |&id: &InstanceId| {
            state.is_started(id) && self.point(id, state.location(id)) != SchedulingPoint::Shared
        };
        self.interpreter
            .inside_atomic(state)
            .or_else(|| self.instances.threads.keys().find(going))
    }

    fn point(&self, instance: InstanceId, location: LocationId) -> SchedulingPoint {
        self.points[self.instances.threads[instance].template][location]
    }

    /// Takes the turn of a thread with all choices; an error if one is met.
    fn turns(
        &mut self,
        state: u32,
        instance: InstanceId,
        visit: &mut dyn FnMut(&State),
    ) -> Option<FoundViolation> {
        let (mut found, mut dangling) = (None, Vec::new());
        self.choices.reset();
        self.beginning = Beginning::Unknown;
        loop {
            let mut steps = self.load_beginning(state);
            let turn = self.turn(instance, &mut steps);
            if let Some(new) = self.new_dangling.take() {
                let inputs = self.choices.inputs();
                let last = Event {
                    instance,
                    steps,
                    inputs,
                };
                dangling.push((new, last));
            }
            match turn {
                Turn::Kept => {
                    let (successor, new) = self.store.keep();
                    if let Some(taken) = &mut self.taken {
                        taken.take(Edge {
                            from: state,
                            to: successor,
                            instance,
                        });
                    }
                    if new {
                        visit(self.store.current());
                        self.parents.push((state, instance));
                        self.frontier.push(successor);
                    }
                }
                Turn::Error(property, site) if found.is_none() => {
                    let last = Event {
                        instance,
                        steps,
                        inputs: self.choices.inputs(),
                    };
                    found = Some((property, site, last));
                }
                Turn::Ended => {
                    if let Some(taken) = &mut self.taken {
                        taken.end(state, instance);
                    }
                }
                Turn::Error(..) | Turn::Dead => {}
            }
            self.turns += 1;
            self.given_up = self.exhausted();
            if found.is_some() || self.given_up.is_some() || !self.choices.next() {
                break;
            }
        }
        for (dangling, last) in dangling {
            let schedule = self.schedule(state, last);
            self.record_dangling(dangling, &schedule);
        }
        let (property, site, last) = found?;
        let schedule = self.schedule(state, last);
        Some(FoundViolation {
            schedule,
            instance,
            site,
            property,
        })
    }

    /// Loads the state from which the next run of the current turn goes on; how many statements of the turn led there from `state`.
    fn load_beginning(&mut self, state: u32) -> u32 {
        if let Beginning::Stored(statements, parts) = &self.beginning {
            self.store.load_parts(parts);
            self.transitions += 1;
            *statements
        } else {
            self.store.load(state);
            0
        }
    }

    /// Lets a thread run on from the loaded state to the next state to keep.
    fn turn(&mut self, instance: InstanceId, steps: &mut u32) -> Turn {
        loop {
            // The second run stores it: most turns have one.
            if let Beginning::Statements(statements) = self.beginning
                && statements == *steps
                && statements >= LONG_BEGINNING
            {
                self.beginning = Beginning::Stored(statements, self.store.parts());
            }
            let progress =
                self.interpreter
                    .advance(self.store.current_mut(), instance, &mut self.choices);
            self.store.touch(instance, self.choices.take_touched());
            if matches!(self.beginning, Beginning::Unknown) && self.choices.has_answered() {
                self.beginning = Beginning::Statements(*steps);
            }
            let executed = match progress {
                AdvanceResult::Executed(executed) => executed,
                AdvanceResult::Rejected => {
                    self.record_rejected(instance);
                    return Turn::Dead;
                }
                AdvanceResult::Waiting(_) | AdvanceResult::Finished => return Turn::Dead,
            };
            self.transitions += u64::from(*steps == 0);
            self.statements += 1;
            *steps += 1;
            let template = self.interpreter.template(instance);
            let site = template.edges[executed.edge].site;
            if let Some((width, what)) = self.choices.take_sampled() {
                let program = self.interpreter.names().program;
                let what = match (
                    &template.edges[executed.edge].statement,
                    program.explanations.get(&site),
                ) {
                    (Statement::Havoc { .. }, Some(origin)) => origin.clone(),
                    _ => what,
                };
                self.reasons
                    .insert(Incompleteness::Sampled { width, what, site });
            }
            let kind = template.locations[executed.location].kind;
            match kind {
                LocationKind::Error(property) => return Turn::Error(property, site),
                LocationKind::Limit(_) => self.record(instance, executed, site),
                LocationKind::Ordinary
                | LocationKind::Exited
                | LocationKind::Halted
                | LocationKind::Blocked => {}
            }
            if self.store.current().is_stopped() {
                return match kind {
                    LocationKind::Halted => Turn::Ended,
                    LocationKind::Ordinary
                    | LocationKind::Exited
                    | LocationKind::Error(_)
                    | LocationKind::Blocked
                    | LocationKind::Limit(_) => Turn::Dead,
                };
            }
            if self.point(instance, executed.location) != SchedulingPoint::Passed
                && !(kind == LocationKind::Ordinary && self.goes_on(instance, *steps))
            {
                return Turn::Kept;
            }
        }
    }

    /// Whether the turn goes on past a scheduling point, since no other thread can take one and the state has one successor.
    fn goes_on(&self, instance: InstanceId, steps: u32) -> bool {
        !self.keeps_all
            && steps < LONGEST_TURN
            && !self.choices.has_answered()
            && self.store.current().is_only(instance)
    }

    /// Says that a value was not tried with which the next statement of a thread would take a number for an address.
    fn record_rejected(&mut self, instance: InstanceId) {
        let edge = self.interpreter.next_edge(self.store.current(), instance);
        if let Some(edge) = edge {
            self.reasons.insert(Incompleteness::Sampled {
                width: self.instances.data_model.address_bits(),
                what: "the first content of a word that was written in part".into(),
                site: self.interpreter.template(instance).edges[edge].site,
            });
        }
    }

    fn record(&mut self, instance: InstanceId, executed: Executed, site: SiteId) {
        let names = self.interpreter.names();
        let dangling = executed.undefined.and_then(|undefined| {
            let object = undefined.freed()?;
            Some(Dangling {
                undefined,
                object,
                site,
            })
        });
        if let Some(dangling) = dangling {
            let words = names.undefined(dangling.undefined);
            if self.dangling.insert((site, words)) {
                self.new_dangling = Some(dangling);
            }
        } else if let LocationKind::Limit(kind) =
            self.interpreter.template(instance).locations[executed.location].kind
        {
            let kind = LimitMet::new(names, kind, (executed.undefined, site), None);
            self.reasons.insert(Incompleteness::Location { kind, site });
        }
    }

    /// Says of a use of an object where it was freed in a run that leads there.
    fn record_dangling(&mut self, dangling: Dangling, schedule: &Schedule) {
        let Dangling {
            undefined,
            object,
            site,
        } = dangling;
        let names = self.interpreter.names();
        let freed = replay(names.program, self.instances, schedule).freed_at(object);
        let kind = LimitMet::new(names, LimitKind::Undefined, (Some(undefined), site), freed);
        self.reasons.insert(Incompleteness::Location { kind, site });
    }

    /// The reason to give up the search, if there is one, checked at intervals: one atomic region may have more choices
    /// than a search can try.
    fn exhausted(&self) -> Option<Incompleteness> {
        if !self.turns.is_multiple_of(1024) {
            return None;
        }
        if self.turns > self.limits.turns {
            return Some(Incompleteness::Turns(self.limits.turns));
        }
        if let Some(reason) = self.limits.budget.exhausted() {
            return Some(Incompleteness::Stopped(reason));
        }
        let parents = self.parents.capacity() * size_of::<(u32, InstanceId)>();
        let taken = self.taken.as_ref().map_or(0, Turns::bytes);
        let bytes = (self.store.bytes() + parents + taken + self.frontier.bytes()) as u64;
        (bytes > self.limits.memory).then_some(Incompleteness::Memory(self.limits.memory))
    }

    /// The run to a kept state, followed by one more turn.
    fn schedule(&mut self, state: u32, last: Event) -> Schedule {
        let mut events = self.events_to(state);
        events.push(last);
        scheduled(events, None)
    }

    /// The turns that lead to a kept state.
    fn events_to(&mut self, state: u32) -> Vec<Event> {
        let counted = (self.transitions, self.statements);
        let mut path = vec![state];
        while let Some(&first) = path.last()
            && first != 0
        {
            path.push(self.parents[first as usize].0);
        }
        path.reverse();
        let mut events: Vec<Event> = Vec::new();
        for pair in path.windows(2) {
            events.extend(self.turn_between(Edge {
                from: pair[0],
                to: pair[1],
                instance: self.parents[pair[1] as usize].1,
            }));
        }
        (self.transitions, self.statements) = counted;
        events
    }

    /// The turn of a thread that leads from a kept state to another one, found by taking it again.
    fn turn_between(&mut self, Edge { from, to, instance }: Edge) -> Option<Event> {
        self.choices.reset();
        self.beginning = Beginning::Unknown;
        loop {
            let mut steps = self.load_beginning(from);
            if matches!(self.turn(instance, &mut steps), Turn::Kept) && self.store.keep().0 == to {
                return Some(Event {
                    instance,
                    steps,
                    inputs: self.choices.inputs(),
                });
            }
            if !self.choices.next() {
                return None;
            }
        }
    }
}

/// The schedule of turns, those from a position on repeated for ever if that is said.
fn scheduled(turns: Vec<Event>, repeats_from: Option<usize>) -> Schedule {
    let mut schedule = Schedule::default();
    for (position, turn) in turns.into_iter().enumerate() {
        if repeats_from == Some(position) {
            schedule.repeat_from_here();
        }
        schedule.push(turn);
    }
    schedule
}
