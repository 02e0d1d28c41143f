//! Runs that are said to go on for ever: a schedule, the last events of which are repeated.

use abi::ids::InstanceId;
use abi::schedule::Schedule;
use program::model::{Instances, LocationKind, Program};

use super::replay::{ReplayEnd, ReplayError, ReplayedRun};
use super::{Interpreter, NondeterministicChoice, Observation, Oracle, State, StepResult};

/// So often events are repeated at most that never lead to the same state as a whole, such as those that count what nothing depends on.
const ROUNDS: usize = 100;

/// An atomic region may have so many statements for it to be known whether a thread that enters it waits there.
const LONGEST_REGION: usize = 10_000;

/// A run that goes on for ever, as far as it was followed.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The run, in which the events are repeated until they lead to a state in which it was before, or as often as that is possible, which
    /// may be once.
    pub run: ReplayedRun,
    /// How many of its steps come before those that are repeated.
    pub stem: usize,
    /// How many steps are repeated.
    pub round: usize,
    /// Whether its last state is one in which it was before; else the places of all threads are the same.
    pub same_state: bool,
    /// A thread that never moves among what is repeated, although it could.
    pub left_out: Option<InstanceId>,
}

/// Why a run does not go on for ever as it is said to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRepeated {
    /// It says of no events that they are repeated.
    #[error("nothing is repeated")]
    Nothing,
    /// The schedule is none of this program.
    #[error("event {event} is impossible: {error}")]
    Impossible {
        /// Position in [`Schedule::events`].
        event: usize,
        /// Why.
        error: ReplayError,
    },
    /// It ends in an error.
    #[error("an error is reached")]
    Error,
    /// A thread is somewhere else after a round.
    #[error("thread {0} does not come back to its place")]
    Elsewhere(InstanceId),
}

/// Follows a run whose last events are repeated for ever.
///
/// # Errors
/// It does not go on for ever.
pub fn repeat(
    program: &Program,
    instances: &Instances,
    schedule: &Schedule,
) -> Result<Repeated, NotRepeated> {
    let repeats_from = schedule.repeats_from.ok_or(NotRepeated::Nothing)?;
    let (stem, repeated) = schedule.events.split_at(repeats_from);
    if repeated.is_empty() {
        return Err(NotRepeated::Nothing);
    }
    let interpreter = Interpreter::new(program, instances);
    let mut run = ReplayedRun::start(&interpreter);
    let follow = |run: &mut ReplayedRun, event: usize| {
        let followed = run.event(&interpreter, &schedule.events[event]);
        followed.map_err(|error| NotRepeated::Impossible { event, error })?;
        match run.end {
            ReplayEnd::NoError => Ok(()),
            ReplayEnd::Error { .. } | ReplayEnd::Impossible { .. } => Err(NotRepeated::Error),
        }
    };
    (0..stem.len()).try_for_each(|event| follow(&mut run, event))?;
    let (before, stem) = (run.state.clone(), run.steps.len());
    let follow_round = |run: &mut ReplayedRun| {
        (repeats_from..schedule.events.len()).try_for_each(|event| follow(run, event))?;
        let mut threads = instances.threads.keys();
        let moved = |&thread: &InstanceId| run.state.location(thread) != before.location(thread);
        match threads.find(moved) {
            Some(elsewhere) => Err(NotRepeated::Elsewhere(elsewhere)),
            None => Ok(()),
        }
    };
    follow_round(&mut run)?;
    let round = run.steps.len() - stem;
    for _ in 1..ROUNDS {
        if run.state == before {
            break;
        }
        // What nothing depends on that decides where threads go may decide how many statements it takes.
        let (state, steps) = (run.state.clone(), run.steps.len());
        if follow_round(&mut run).is_err() {
            run.state = state;
            run.steps.truncate(steps);
            break;
        }
    }
    let same_state = run.state == before;
    let left_out = left_out(&interpreter, &before, &run, stem);
    Ok(Repeated {
        run,
        stem,
        round,
        same_state,
        left_out,
    })
}

/// A thread that does not move from a state on, but could move in one of the states that follow.
fn left_out(
    interpreter: &Interpreter<'_>,
    before: &State,
    run: &ReplayedRun,
    stem: usize,
) -> Option<InstanceId> {
    let steps = &run.steps[stem..];
    let threads = interpreter.instances.threads.keys();
    let mut idle = threads.filter(|&thread| steps.iter().all(|step| step.instance != thread));
    idle.find(|&thread| {
        let mut state = before.clone();
        for step in steps {
            if is_able(interpreter, &state, thread) {
                return true;
            }
            let mut inputs = Inputs(&step.inputs);
            match interpreter.step(&state, step.instance, &mut inputs) {
                StepResult::Executed { state: next, .. } => state = next,
                StepResult::Waiting(_) | StepResult::Finished | StepResult::Rejected => break,
            }
        }
        false
    })
}

/// Whether a thread can move in a state, to the end of an atomic region if it enters one. Where that depends on what is chosen, it is said to
/// be able to.
fn is_able(interpreter: &Interpreter<'_>, state: &State, thread: InstanceId) -> bool {
    let mut state = state.clone();
    for _ in 0..LONGEST_REGION {
        match interpreter.step(&state, thread, &mut Inputs(&[])) {
            StepResult::Executed { inputs, .. } if !inputs.is_empty() => return true,
            StepResult::Executed { state: next, .. } => state = next,
            StepResult::Rejected => return true,
            StepResult::Waiting(_) | StepResult::Finished => return false,
        }
        let kind = interpreter.kind(&state, thread);
        if kind == LocationKind::Blocked {
            return false;
        }
        if interpreter.inside_atomic(&state) != Some(thread) {
            break;
        }
    }
    true
}

/// Supplies the values that a step consumed, and then zeros.
struct Inputs<'a>(&'a [u128]);

impl Oracle for Inputs<'_> {
    fn choose(&mut self, _choice: &NondeterministicChoice<'_>) -> u128 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    fn observe(&mut self, _event: Observation) {}
}
