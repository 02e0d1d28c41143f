//! One step of one thread: the next statement, and the location of the thread after it.

use abi::ids::InstanceId;
use program::model::{Bits, EdgeId, LocationId, LocationKind, Undefined};

use super::execute::{Execution, Interruption};
use super::interpreter::Interpreter;
use super::oracle::{NondeterministicChoice, Observation, Oracle};
use super::state::{State, ThreadStatus};
use super::waiting::Waiting;

/// What came of letting a thread execute a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepResult {
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

/// As [`StepResult`], for a state that was changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdvanceResult {
    Executed(Executed),
    /// The state may have been changed by choices and must not be used further.
    Waiting(Waiting),
    Finished,
    /// As for waiting.
    Rejected,
}

impl Interpreter<'_> {
    /// Lets a thread execute its next statement.
    pub fn step(&self, state: &State, instance: InstanceId, oracle: &mut dyn Oracle) -> StepResult {
        let mut state = state.clone();
        let mut recorder = Recorder {
            oracle,
            inputs: Vec::new(),
        };
        match self.advance(&mut state, instance, &mut recorder) {
            AdvanceResult::Executed(executed) => StepResult::Executed {
                state,
                executed,
                inputs: recorder.inputs,
            },
            AdvanceResult::Waiting(waiting) => StepResult::Waiting(waiting),
            AdvanceResult::Finished => StepResult::Finished,
            AdvanceResult::Rejected => StepResult::Rejected,
        }
    }

    /// As [`Interpreter::step`], in place.
    pub(crate) fn advance(
        &self,
        state: &mut State,
        instance: InstanceId,
        oracle: &mut dyn Oracle,
    ) -> AdvanceResult {
        if state.stopped || state.thread(instance).status != ThreadStatus::Running {
            return AdvanceResult::Finished;
        }
        let source = self.location(state, instance);
        if source.kind != LocationKind::Ordinary {
            return AdvanceResult::Finished;
        }
        if let Some(other) = self.inside_atomic(state).filter(|&other| other != instance) {
            return AdvanceResult::Waiting(Waiting::Atomic(other));
        }
        let Some(edge) = self.next_edge(state, instance) else {
            return AdvanceResult::Finished;
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
            Err(Interruption::Undefined(undefined)) => (
                template.undefined_at(self.names().violated(undefined)),
                Some(undefined),
            ),
            Err(Interruption::ThreadLimit) => (template.thread_limit, None),
            Err(Interruption::HeapLimit) => (template.heap_limit, None),
            Err(Interruption::Waiting(waiting)) => return AdvanceResult::Waiting(waiting),
            Err(Interruption::Rejected) => return AdvanceResult::Rejected,
        };
        self.arrive(state, instance, edge, location);
        AdvanceResult::Executed(Executed {
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
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        let value = Bits::new(choice.width(), self.oracle.choose(choice)).value;
        self.inputs.push(value);
        value
    }

    fn foresee(&self, choice: &NondeterministicChoice<'_>) -> Option<u128> {
        self.oracle.foresee(choice)
    }

    fn observe(&mut self, event: Observation) {
        self.oracle.observe(event);
    }
}
