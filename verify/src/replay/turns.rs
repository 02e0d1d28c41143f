//! From a schedule to the turns of a native run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use abi::turns::{Allocation, ExternalLocation, Turn, Turns};
use explicit::interpret::{
    Interpreter, NondeterministicChoice, Observation, Oracle, ReplayEnd, ReplayedRun, State,
    StepResult, replay,
};
use program::model::{
    EdgeId, Instances, LocationId, LocationKind, ObjectId, Program, Property, Statement,
};
use program::names::Names;

use crate::verdict::Failure;

/// Turns, and what they lead to.
#[derive(Debug)]
pub(super) struct Planned {
    pub turns: Turns,
    /// What is violated, and that in words.
    pub property: (Property, String),
    /// `file:line` of the violation.
    pub place: String,
    /// The first choice of the run that a native run is not made to make, with its place: a value of a fresh local variable, an
    /// argument, where an object lies.
    pub not_enforced: Option<String>,
}

impl Planned {
    /// The accesses that take part in a data race.
    pub fn races(&self) -> BTreeSet<SiteId> {
        self.turns
            .turns
            .iter()
            .filter_map(|turn| turn.race)
            .collect()
    }

    /// Whether memory is used as it must not be.
    pub fn is_of_memory(&self) -> bool {
        matches!(self.property.0, Property::ValidDeref | Property::ValidFree)
    }
}

/// A program whose external locations are marked.
#[derive(Debug)]
pub(super) struct Marked {
    /// With what looks for data races, if that is wanted.
    pub program: Program,
    /// Without that, and without marks.
    pub source: Program,
    pub instances: Instances,
}

/// The calls of which the native run is told what they give.
#[derive(Debug)]
pub(super) struct Enforced {
    /// Those that ask for a nondeterministic value, and weak compare-and-swaps, which ask whether they fail.
    pub inputs: BTreeSet<SiteId>,
    /// Those that allocate heap objects.
    pub allocations: BTreeSet<SiteId>,
}

/// What a thread does at most in one turn.
const MOST_STATEMENTS: u32 = 1_000_000;

/// Follows a schedule on a program whose external locations are marked: first as it is, then turn by turn, because a native
/// thread does not stop between two of them.
pub(super) fn follow(
    marked: &Marked,
    schedule: &Schedule,
    enforced: &Enforced,
) -> Result<Planned, Failure> {
    let Marked {
        program,
        source,
        instances,
    } = marked;
    let run = replay(program, instances, schedule);
    let (end, site) = match &run.end {
        ReplayEnd::Error { instance, site } => (*instance, *site),
        ReplayEnd::NoError => return Err(none_of(&"it ends before anything is violated")),
        ReplayEnd::Impossible { event, error } => {
            return Err(none_of(&format_args!("event {}: {error}", event + 1)));
        }
    };
    let interpreter = Interpreter::new(program, instances);
    let mut follower = Follower {
        program,
        source,
        instances,
        state: interpreter.initial(),
        interpreter,
        tapes: tapes(&run),
        enforced,
        begun: BTreeSet::new(),
        turns: Vec::new(),
        allocated: BTreeMap::new(),
        not_enforced: None,
    };
    for thread in passes(marked, &run) {
        if follower.turn(thread)? && thread == end {
            let place = |site: SiteId| {
                let position = &program.sites[site];
                format!("{}:{}", position.file, position.line)
            };
            return Ok(Planned {
                property: violated(program, instances, &run)
                    .ok_or_else(|| none_of(&"it ends before anything is violated"))?,
                place: place(site),
                not_enforced: follower
                    .not_enforced
                    .map(|(what, site)| format!("{what}, {}", place(site))),
                turns: Turns {
                    turns: with_room(follower.turns),
                    end,
                },
            });
        }
    }
    Err(inside())
}

/// Gives every place the room that its largest object takes.
fn with_room(mut turns: Vec<Turn>) -> Vec<Turn> {
    let mut rooms = BTreeMap::new();
    for allocation in turns.iter().flat_map(|turn| &turn.allocations) {
        let room: &mut u64 = rooms.entry(allocation.place).or_default();
        *room = allocation.room.max(*room);
    }
    for allocation in turns.iter_mut().flat_map(|turn| &mut turn.allocations) {
        allocation.room = rooms[&allocation.place];
    }
    turns
}

/// What a run violates at its end.
fn violated(
    program: &Program,
    instances: &Instances,
    run: &ReplayedRun,
) -> Option<(Property, String)> {
    let last = run.steps.last()?;
    let template = &program.templates[instances.threads[last.instance].template];
    let LocationKind::Error(property) = template.locations[last.location].kind else {
        return None;
    };
    let names = Names::new(program, instances);
    let words = match last.undefined {
        Some(undefined) => names.violation(undefined)?.1,
        None => program.property(last.site),
    };
    Some((property, words.to_owned()))
}

fn none_of(why: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!(
        "the schedule is none of this program: {why}; give the file and the options --property, --threads, --heap and \
         --recursion that it was written for"
    ))
}

fn inside() -> Failure {
    Failure::Input(
        "the schedule changes threads inside of a transaction of the instrumented bitcode; replay it on the program as it was \
         before, or instrument that with --reduction none"
            .into(),
    )
}

/// The threads that begin or pass an external location, in order. Where something was inserted to look for data races, others may come
/// between a choice and the access; natively there is the access only.
fn passes(marked: &Marked, run: &ReplayedRun) -> Vec<InstanceId> {
    let (mut begun, mut due) = (BTreeSet::new(), BTreeSet::new());
    let mut passes = Vec::new();
    for step in &run.steps {
        let template = marked.instances.threads[step.instance].template;
        let template = &marked.program.templates[template];
        let edge = &template.edges[step.edge];
        if begun.insert(step.instance) || template.locations[edge.source].external {
            due.insert(step.instance);
        }
        let is_choice = edge.statement.is_private() && !marked.source.sites.is_valid(edge.site);
        if !is_choice && due.remove(&step.instance) {
            passes.push(step.instance);
        }
    }
    passes
}

/// What each thread was given, in order.
fn tapes(run: &ReplayedRun) -> BTreeMap<InstanceId, VecDeque<u128>> {
    let mut tapes: BTreeMap<InstanceId, VecDeque<u128>> = BTreeMap::new();
    for step in &run.steps {
        let tape = tapes.entry(step.instance).or_default();
        tape.extend(&step.inputs);
    }
    tapes
}

/// The run, turn by turn.
struct Follower<'a> {
    program: &'a Program,
    /// Without what looks for data races.
    source: &'a Program,
    instances: &'a Instances,
    interpreter: Interpreter<'a>,
    state: State,
    tapes: BTreeMap<InstanceId, VecDeque<u128>>,
    enforced: &'a Enforced,
    begun: BTreeSet<InstanceId>,
    turns: Vec<Turn>,
    /// The last allocation of each object that the native run makes as it is told: a turn, and which one of its allocations.
    allocated: BTreeMap<ObjectId, (usize, usize)>,
    not_enforced: Option<(String, SiteId)>,
}

impl Follower<'_> {
    /// Lets a thread take a turn; says whether it ends in a violation.
    fn turn(&mut self, instance: InstanceId) -> Result<bool, Failure> {
        let turn = self.turns.len();
        let mut next = self.site_behind(instance, self.state.location(instance));
        for _ in 0..MOST_STATEMENTS {
            let Some(taken) = self.step(instance)? else {
                break;
            };
            let kind = self.interpreter.kind(&self.state, instance);
            let location = self.state.location(instance);
            if turn == self.turns.len() {
                let place = self.place(instance, taken.edge)?;
                // Natively there is no way to stop behind what has no meaning, so the thread stays before it.
                if matches!(kind, LocationKind::Limit(_)) {
                    return Ok(false);
                }
                self.turns.push(Turn {
                    instance,
                    place,
                    inputs: Vec::new(),
                    allocations: Vec::new(),
                    created: Vec::new(),
                    race: None,
                });
            }
            self.note(turn, &taken)?;
            if self.is_of_race(instance, kind) {
                self.turns[turn].race = next;
            }
            next = self.site_behind(instance, location).or(next);
            if kind != LocationKind::Ordinary || self.is_external(instance) {
                break;
            }
        }
        if turn == self.turns.len() {
            return Err(inside());
        }
        Ok(self.interpreter.kind(&self.state, instance).is_error())
    }

    /// One statement; `None` if the thread has returned.
    fn step(&mut self, instance: InstanceId) -> Result<Option<Taken>, Failure> {
        let mut tape = Tape {
            names: Names::new(self.program, self.instances),
            enforced: self.enforced,
            allocated: &self.allocated,
            values: self.tapes.entry(instance).or_default(),
            events: Vec::new(),
            content: Vec::new(),
            chosen: None,
        };
        match self.interpreter.step(&self.state, instance, &mut tape) {
            StepResult::Executed {
                state,
                executed,
                inputs,
            } => {
                let taken = Taken {
                    edge: executed.edge,
                    events: tape.events,
                    inputs,
                    content: tape.content,
                    chosen: tape.chosen,
                };
                self.state = state;
                Ok(Some(taken))
            }
            StepResult::Finished => Ok(None),
            StepResult::Waiting(_) | StepResult::Rejected => Err(inside()),
        }
    }

    fn place(&mut self, instance: InstanceId, edge: EdgeId) -> Result<ExternalLocation, Failure> {
        if self.begun.insert(instance) {
            return Ok(ExternalLocation::Start);
        }
        let template = self.instances.threads[instance].template;
        let source = self.program.templates[template].edges[edge].source;
        let site = self.site_behind(instance, source);
        site.map(ExternalLocation::Yield).ok_or_else(inside)
    }

    /// The statement of the source that is at a location of a thread; none at a location that was inserted to look for data races.
    fn site_behind(&self, instance: InstanceId, location: LocationId) -> Option<SiteId> {
        let template = self.instances.threads[instance].template;
        let mut edges = self.source.templates[template].edges.values();
        edges
            .find(|edge| edge.source == location)
            .map(|edge| edge.site)
    }

    /// Whether a thread is before an access that takes part in a data race: it stays there, or has found the other one.
    fn is_of_race(&self, instance: InstanceId, kind: LocationKind) -> bool {
        let template = self.instances.threads[instance].template;
        let location = self.state.location(instance);
        let is_inserted = !self.source.templates[template].locations.is_valid(location);
        is_inserted && matches!(kind, LocationKind::Blocked | LocationKind::Error(_))
    }

    fn is_external(&self, instance: InstanceId) -> bool {
        let template = &self.program.templates[self.instances.threads[instance].template];
        template.locations[self.state.location(instance)].external
    }

    /// Records what the native run has to be told because of a statement of a turn, and what it cannot be told.
    fn note(&mut self, turn: usize, taken: &Taken) -> Result<(), Failure> {
        let template = self.instances.threads[self.turns[turn].instance].template;
        let edge = &self.program.templates[template].edges[taken.edge];
        for &(object, offset, byte) in &taken.content {
            if let Some(&(turn, index)) = self.allocated.get(&object) {
                let allocation = &mut self.turns[turn].allocations[index];
                allocation.content.insert(offset, byte);
            }
        }
        for &event in &taken.events {
            self.note_event(turn, edge.site, event);
        }
        let is_arbitrary = matches!(edge.statement, Statement::Havoc { .. });
        if is_arbitrary && self.enforced.inputs.contains(&edge.site) {
            for &value in &taken.inputs {
                let value = u64::try_from(value).map_err(|_| wide())?;
                self.turns[turn].inputs.push((edge.site, value));
            }
        } else if let Some(chosen) = &taken.chosen
            && self.source.sites.is_valid(edge.site)
        {
            let words = self.program.explanations.get(&edge.site);
            let what = words.filter(|_| is_arbitrary).unwrap_or(chosen);
            self.not_enforced
                .get_or_insert_with(|| (what.clone(), edge.site));
        }
        Ok(())
    }

    /// The same because of what the statement at a site has done.
    fn note_event(&mut self, turn: usize, site: SiteId, event: Observation) {
        let allocations = &mut self.turns[turn].allocations;
        match event {
            Observation::Started(thread) => self.turns[turn].created.push(thread),
            Observation::Allocated { object, size }
                if self.enforced.allocations.contains(&site) =>
            {
                self.allocated.insert(object, (turn, allocations.len()));
                allocations.push(Allocation {
                    site,
                    place: object.as_u32(),
                    room: size.into(),
                    content: BTreeMap::new(),
                });
            }
            Observation::Allocated { object, .. } => {
                self.allocated.remove(&object);
            }
            Observation::Read { .. }
            | Observation::Write { .. }
            | Observation::Uninitialised(_)
            | Observation::Freed(_)
            | Observation::Died(_)
            | Observation::Joined(_)
            | Observation::Detached(_)
            | Observation::Acquired { .. }
            | Observation::Released { .. }
            | Observation::Refused { .. } => {}
        }
    }
}

/// A statement that was executed.
struct Taken {
    edge: EdgeId,
    events: Vec<Observation>,
    inputs: Vec<u128>,
    /// The content of fresh memory that it has read: objects, offsets and bytes.
    content: Vec<(ObjectId, u32, u8)>,
    /// The last choice that a machine may make otherwise, in words.
    chosen: Option<String>,
}

fn wide() -> Failure {
    Failure::Internal("a call that returns 64 bits was given a wider value".into())
}

/// Gives a thread what it was given before; what the native thread does beyond that may be given anything.
struct Tape<'a> {
    names: Names<'a>,
    enforced: &'a Enforced,
    allocated: &'a BTreeMap<ObjectId, (usize, usize)>,
    values: &'a mut VecDeque<u128>,
    events: Vec<Observation>,
    content: Vec<(ObjectId, u32, u8)>,
    chosen: Option<String>,
}

impl Tape<'_> {
    /// Keeps what fresh memory holds.
    fn keep(&mut self, choice: &NondeterministicChoice<'_>, value: u128) {
        if let NondeterministicChoice::Content {
            object,
            offset,
            bytes,
        } = *choice
        {
            let arbitrary = (0..16).filter(|k| bytes >> k & 1 == 1);
            let bytes = arbitrary.zip(value.to_le_bytes());
            self.content
                .extend(bytes.map(|(k, byte)| (object, offset + k, byte)));
        }
    }

    /// What is chosen, if a machine may choose otherwise.
    fn describe(&self, choice: &NondeterministicChoice<'_>) -> Option<String> {
        match choice {
            NondeterministicChoice::Slot { site, slots, .. } => {
                let site = self.names.program.heap_sites[*site].site;
                let is_told = self.enforced.allocations.contains(&site);
                (!is_told && slots.len() > 1).then(|| choice.describe(&self.names))
            }
            NondeterministicChoice::Content { object, .. }
                if self.allocated.contains_key(object) =>
            {
                None
            }
            NondeterministicChoice::Havoc { .. }
            | NondeterministicChoice::Content { .. }
            | NondeterministicChoice::Result { .. } => Some(choice.describe(&self.names)),
        }
    }
}

impl Oracle for Tape<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        let first = || match choice {
            NondeterministicChoice::Slot { slots, .. } => {
                slots.first().map_or(0, |slot| u128::from(slot.as_u32()))
            }
            NondeterministicChoice::Havoc { .. }
            | NondeterministicChoice::Content { .. }
            | NondeterministicChoice::Result { .. } => 0,
        };
        match self.values.pop_front() {
            Some(value) => {
                self.keep(choice, value);
                self.chosen = self.describe(choice).or(self.chosen.take());
                value
            }
            None => first(),
        }
    }

    fn observe(&mut self, event: Observation) {
        self.events.push(event);
    }
}
