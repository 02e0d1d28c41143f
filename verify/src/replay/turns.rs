//! From a schedule to the turns of a native run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use abi::turns::{ExternalLocation, Turn, Turns};
use explicit::interpret::{
    Interpreter, NondeterministicChoice, Observation, Oracle, ReplayEnd, ReplayedRun, State,
    StepResult, replay,
};
use program::model::{
    EdgeId, HavocOrigin, Instances, LocationKind, ObjectId, Program, Property, Statement,
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
    /// The first choice of the run that a native run is not made to make, with its place: a value of fresh memory, an address that
    /// is used again, an argument, a spurious failure.
    pub not_enforced: Option<String>,
}

impl Planned {
    /// Whether memory is used as it must not be.
    pub fn is_of_memory(&self) -> bool {
        matches!(self.property.0, Property::ValidDeref | Property::ValidFree)
    }
}

/// What a thread does at most in one turn.
const MOST_STATEMENTS: u32 = 1_000_000;

/// Follows a schedule on a program whose external locations are marked: first as it is, then turn by turn, because a native
/// thread does not stop between two of them. `inputs` are the calls that ask for a value in the native run.
pub(super) fn follow(
    program: &Program,
    instances: &Instances,
    schedule: &Schedule,
    inputs: &BTreeSet<SiteId>,
) -> Result<Planned, Failure> {
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
        instances,
        state: interpreter.initial(),
        interpreter,
        tapes: tapes(&run),
        inputs,
        begun: BTreeSet::new(),
        turns: Vec::new(),
        freed: BTreeSet::new(),
        not_enforced: None,
    };
    for thread in passes(program, instances, &run) {
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
                    turns: follower.turns,
                    end,
                },
            });
        }
    }
    Err(inside())
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

/// The threads that begin or pass an external location, in order.
fn passes(program: &Program, instances: &Instances, run: &ReplayedRun) -> Vec<InstanceId> {
    let mut begun = BTreeSet::new();
    let mut passes = Vec::new();
    for step in &run.steps {
        let template = &program.templates[instances.threads[step.instance].template];
        let source = template.edges[step.edge].source;
        if begun.insert(step.instance) || template.locations[source].external {
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
    instances: &'a Instances,
    interpreter: Interpreter<'a>,
    state: State,
    tapes: BTreeMap<InstanceId, VecDeque<u128>>,
    inputs: &'a BTreeSet<SiteId>,
    begun: BTreeSet<InstanceId>,
    turns: Vec<Turn>,
    /// The objects that were freed.
    freed: BTreeSet<ObjectId>,
    not_enforced: Option<(String, SiteId)>,
}

impl Follower<'_> {
    /// Lets a thread take a turn; says whether it ends in a violation.
    fn turn(&mut self, instance: InstanceId) -> Result<bool, Failure> {
        let mut turn = None;
        for _ in 0..MOST_STATEMENTS {
            let Some(taken) = self.step(instance)? else {
                break;
            };
            let kind = self.interpreter.kind(&self.state, instance);
            if turn.is_none() {
                let place = self.place(instance, taken.edge);
                // Natively there is no way to stop behind what has no meaning, so the thread stays before it.
                if matches!(kind, LocationKind::Limit(_)) {
                    return Ok(false);
                }
                turn = Some(Turn {
                    instance,
                    place,
                    inputs: Vec::new(),
                    created: Vec::new(),
                });
            }
            if let Some(turn) = &mut turn {
                self.note(turn, &taken)?;
            }
            if kind != LocationKind::Ordinary || self.is_external(instance) {
                break;
            }
        }
        self.turns.push(turn.ok_or_else(inside)?);
        Ok(self.interpreter.kind(&self.state, instance).is_error())
    }

    /// One statement; `None` if the thread has returned.
    fn step(&mut self, instance: InstanceId) -> Result<Option<Taken>, Failure> {
        let mut tape = Tape {
            names: Names::new(self.program, self.instances),
            freed: &self.freed,
            values: self.tapes.entry(instance).or_default(),
            events: Vec::new(),
            chosen: None,
        };
        match self.interpreter.step(&self.state, instance, &mut tape) {
            StepResult::Executed {
                state,
                executed,
                inputs,
            } => {
                let (events, chosen) = (tape.events, tape.chosen);
                self.state = state;
                Ok(Some(Taken {
                    edge: executed.edge,
                    events,
                    inputs,
                    chosen,
                }))
            }
            StepResult::Finished => Ok(None),
            StepResult::Waiting(_) | StepResult::Rejected => Err(inside()),
        }
    }

    fn place(&mut self, instance: InstanceId, edge: EdgeId) -> ExternalLocation {
        if self.begun.insert(instance) {
            return ExternalLocation::Start;
        }
        let template = self.instances.threads[instance].template;
        ExternalLocation::Yield(self.program.templates[template].edges[edge].site)
    }

    fn is_external(&self, instance: InstanceId) -> bool {
        let template = &self.program.templates[self.instances.threads[instance].template];
        template.locations[self.state.location(instance)].external
    }

    /// Records what the native thread has to be told in this turn, and what it cannot be told.
    fn note(&mut self, turn: &mut Turn, taken: &Taken) -> Result<(), Failure> {
        for event in &taken.events {
            if let Observation::Started(thread) = *event {
                turn.created.push(thread);
            }
            if let Observation::Freed(object) = *event {
                self.freed.insert(object);
            }
        }
        let template = self.instances.threads[turn.instance].template;
        let edge = &self.program.templates[template].edges[taken.edge];
        let is_arbitrary = matches!(edge.statement, Statement::Havoc { .. });
        if is_arbitrary && self.inputs.contains(&edge.site) {
            for &value in &taken.inputs {
                let value = u64::try_from(value).map_err(|_| wide())?;
                turn.inputs.push((edge.site, value));
            }
        } else if let Some(chosen) = &taken.chosen {
            let words = self.program.explanations.get(&edge.site);
            let what = words.filter(|_| is_arbitrary).unwrap_or(chosen);
            self.not_enforced
                .get_or_insert_with(|| (what.clone(), edge.site));
        }
        Ok(())
    }
}

/// A statement that was executed.
struct Taken {
    edge: EdgeId,
    events: Vec<Observation>,
    inputs: Vec<u128>,
    /// The last choice that a machine may make otherwise, in words.
    chosen: Option<String>,
}

fn wide() -> Failure {
    Failure::Internal("a call that returns 64 bits was given a wider value".into())
}

/// Gives a thread what it was given before; what the native thread does beyond that may be given anything.
struct Tape<'a> {
    names: Names<'a>,
    freed: &'a BTreeSet<ObjectId>,
    values: &'a mut VecDeque<u128>,
    events: Vec<Observation>,
    chosen: Option<String>,
}

impl Tape<'_> {
    /// What is chosen, if a machine may choose otherwise. Machines make no weak exchange fail that could succeed, and allocate
    /// where nothing was before unless something was freed.
    fn describe(&self, choice: &NondeterministicChoice<'_>, value: u128) -> Option<String> {
        match choice {
            NondeterministicChoice::Slot { slots, .. } => {
                let is_freed = |slot: &&ObjectId| self.freed.contains(slot);
                let freed: Vec<u128> = slots
                    .iter()
                    .filter(is_freed)
                    .map(|slot| u128::from(slot.as_u32()))
                    .collect();
                let what = match freed.contains(&value) {
                    true => "an address that is used again",
                    false => "an address that is not used again",
                };
                (!freed.is_empty()).then(|| what.to_owned())
            }
            NondeterministicChoice::Havoc {
                width: 1,
                origin: HavocOrigin::Undefined,
                ..
            } if value == 0 => None,
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
                self.chosen = self.describe(choice, value).or(self.chosen.take());
                value
            }
            None => first(),
        }
    }

    fn observe(&mut self, event: Observation) {
        self.events.push(event);
    }
}
