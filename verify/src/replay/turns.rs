//! From a schedule to the turns of a native run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use abi::turns::{Place, Turn, Turns};
use program::interpret::{
    Choice, Event, Executed, Interpreter, Oracle, Replay, ReplayEnd, State, Step, replay,
};
use program::model::{EdgeId, Instances, LocationKind, Program, Statement};

use crate::verdict::Failure;

/// Turns, and what they lead to.
#[derive(Debug)]
pub(super) struct Planned {
    pub turns: Turns,
    /// `file:line` of the violation.
    pub place: String,
    /// Where the run depends on a value that a native run is not given: of fresh memory, an address, an argument.
    pub not_given: Option<String>,
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
        not_given: None,
    };
    for thread in passes(program, instances, &run) {
        if follower.turn(thread)? && thread == end {
            let place = |site: SiteId| {
                let position = &program.sites[site];
                format!("{}:{}", position.file, position.line)
            };
            return Ok(Planned {
                place: place(site),
                not_given: follower.not_given.map(place),
                turns: Turns {
                    turns: follower.turns,
                    end,
                },
            });
        }
    }
    Err(inside())
}

fn none_of(why: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!(
        "the schedule is none of this program: {why}; give the file and the options --threads, --heap and --recursion \
         that it was written for"
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
fn passes(program: &Program, instances: &Instances, run: &Replay) -> Vec<InstanceId> {
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
fn tapes(run: &Replay) -> BTreeMap<InstanceId, VecDeque<u128>> {
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
    not_given: Option<SiteId>,
}

impl Follower<'_> {
    /// Lets a thread take a turn; says whether it ends in a violation.
    fn turn(&mut self, instance: InstanceId) -> Result<bool, Failure> {
        let mut turn = None;
        for _ in 0..MOST_STATEMENTS {
            let Some((executed, events, inputs)) = self.step(instance)? else {
                break;
            };
            let kind = self.interpreter.kind(&self.state, instance);
            if turn.is_none() {
                let place = self.place(instance, executed.edge);
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
                self.note(turn, &executed, &events, &inputs)?;
            }
            if kind != LocationKind::Ordinary || self.is_external(instance) {
                break;
            }
        }
        self.turns.push(turn.ok_or_else(inside)?);
        Ok(self.interpreter.kind(&self.state, instance) == LocationKind::Error)
    }

    /// One statement; `None` if the thread has returned.
    #[expect(clippy::type_complexity)]
    fn step(
        &mut self,
        instance: InstanceId,
    ) -> Result<Option<(Executed, Vec<Event>, Vec<u128>)>, Failure> {
        let mut tape = Tape {
            values: self.tapes.entry(instance).or_default(),
            events: Vec::new(),
        };
        match self.interpreter.step(&self.state, instance, &mut tape) {
            Step::Executed {
                state,
                executed,
                inputs,
            } => {
                self.state = state;
                Ok(Some((executed, tape.events, inputs)))
            }
            Step::Finished => Ok(None),
            Step::Waiting(_) | Step::Rejected => Err(inside()),
        }
    }

    fn place(&mut self, instance: InstanceId, edge: EdgeId) -> Place {
        if self.begun.insert(instance) {
            return Place::Start;
        }
        let template = self.instances.threads[instance].template;
        Place::Yield(self.program.templates[template].edges[edge].site)
    }

    fn is_external(&self, instance: InstanceId) -> bool {
        let template = &self.program.templates[self.instances.threads[instance].template];
        template.locations[self.state.location(instance)].external
    }

    /// Records what the native thread has to be told in this turn.
    fn note(
        &mut self,
        turn: &mut Turn,
        executed: &Executed,
        events: &[Event],
        inputs: &[u128],
    ) -> Result<(), Failure> {
        for event in events {
            if let Event::Started(thread) = *event {
                turn.created.push(thread);
            }
        }
        let template = self.instances.threads[turn.instance].template;
        let edge = &self.program.templates[template].edges[executed.edge];
        let is_call = matches!(edge.statement, Statement::Havoc { .. });
        if is_call && self.inputs.contains(&edge.site) {
            for &value in inputs {
                let value = u64::try_from(value).map_err(|_| wide())?;
                turn.inputs.push((edge.site, value));
            }
        } else if !inputs.is_empty() {
            self.not_given.get_or_insert(edge.site);
        }
        Ok(())
    }
}

fn wide() -> Failure {
    Failure::Internal("a call that returns 64 bits was given a wider value".into())
}

/// Gives a thread what it was given before; what the native thread does beyond that may be given anything.
struct Tape<'a> {
    values: &'a mut VecDeque<u128>,
    events: Vec<Event>,
}

impl Oracle for Tape<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u128 {
        let first = || match choice {
            Choice::Slot { slots, .. } => slots.first().map_or(0, |slot| u128::from(slot.as_u32())),
            Choice::Havoc { .. } | Choice::Content { .. } | Choice::Result { .. } => 0,
        };
        self.values.pop_front().unwrap_or_else(first)
    }

    fn observe(&mut self, event: Event) {
        self.events.push(event);
    }
}
