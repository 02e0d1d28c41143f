//! One step of one thread: the statement that is next, and where the thread is then.

use abi::ids::InstanceId;
use program::model::{Bits, EdgeId, LocationId, LocationKind, Undefined};

use super::execute::{Execution, Stop};
use super::interpreter::Interpreter;
use super::oracle::{Choice, Event, Oracle};
use super::state::{State, ThreadStatus};
use super::waiting::Waiting;

/// What came of letting a thread execute a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The statement was executed.
    Executed {
        /// The state after it.
        state: State,
        /// What happened.
        executed: Executed,
        /// The values the oracle chose, in order.
        inputs: Vec<u128>,
    },
    /// The thread is not enabled in this state.
    Waiting(Waiting),
    /// The thread was not created, is at a sink, or the run has ended.
    Finished,
    /// The oracle chose something that is impossible.
    Rejected,
}

/// A statement that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The edge of the statement; the thread is at its target unless a limit was met.
    pub edge: EdgeId,
    /// Where the thread is now.
    pub location: LocationId,
    /// Why it has no defined meaning, if so.
    pub undefined: Option<Undefined>,
}

/// As [`Step`], for a state that was changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Executed(Executed),
    /// The state may have been changed by choices and must not be used further.
    Waiting(Waiting),
    Finished,
    /// As for waiting.
    Rejected,
}

impl Interpreter<'_> {
    /// Lets a thread execute its next statement.
    pub fn step(&self, state: &State, instance: InstanceId, oracle: &mut dyn Oracle) -> Step {
        let mut state = state.clone();
        let mut recorder = Recorder {
            oracle,
            inputs: Vec::new(),
        };
        match self.advance(&mut state, instance, &mut recorder) {
            Progress::Executed(executed) => Step::Executed {
                state,
                executed,
                inputs: recorder.inputs,
            },
            Progress::Waiting(waiting) => Step::Waiting(waiting),
            Progress::Finished => Step::Finished,
            Progress::Rejected => Step::Rejected,
        }
    }

    /// As [`Interpreter::step`], in place.
    pub(crate) fn advance(
        &self,
        state: &mut State,
        instance: InstanceId,
        oracle: &mut dyn Oracle,
    ) -> Progress {
        if state.stopped || state.thread(instance).phase != ThreadStatus::Running {
            return Progress::Finished;
        }
        let source = self.location(state, instance);
        if source.kind != LocationKind::Ordinary {
            return Progress::Finished;
        }
        if let Some(other) = self.inside_atomic(state).filter(|&other| other != instance) {
            return Progress::Waiting(Waiting::Atomic(other));
        }
        let Some(edge) = self.next_edge(state, instance) else {
            return Progress::Finished;
        };
        let template = self.template(instance);
        let mut execution = Execution {
            interpreter: self,
            state,
            instance,
            oracle,
        };
        let stop = execution.execute(&template.edges[edge].statement);
        let (location, undefined) = match stop {
            Ok(()) => (template.edges[edge].target, None),
            Err(Stop::Undefined(undefined)) => (template.undefined, Some(undefined)),
            Err(Stop::ThreadLimit) => (template.thread_limit, None),
            Err(Stop::HeapLimit) => (template.heap_limit, None),
            Err(Stop::Waiting(waiting)) => return Progress::Waiting(waiting),
            Err(Stop::Rejected) => return Progress::Rejected,
        };
        self.arrive(state, instance, edge, location);
        Progress::Executed(Executed {
            edge,
            location,
            undefined,
        })
    }
}

/// Passes on to an oracle and remembers what it chose.
struct Recorder<'a> {
    oracle: &'a mut dyn Oracle,
    inputs: Vec<u128>,
}

impl Oracle for Recorder<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u128 {
        let value = Bits::new(choice.width(), self.oracle.choose(choice)).value;
        self.inputs.push(value);
        value
    }

    fn foresee(&self, choice: &Choice<'_>) -> Option<u128> {
        self.oracle.foresee(choice)
    }

    fn observe(&mut self, event: Event) {
        self.oracle.observe(event);
    }
}
