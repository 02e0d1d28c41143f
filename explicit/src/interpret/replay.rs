//! Runs a schedule, and records the executed steps.

use abi::ids::{InstanceId, SiteId};
use abi::schedule::{Event, Schedule};

use super::{
    Executed, Interpreter, NondeterministicChoice, Observation, Oracle, State, StepResult, Waiting,
};
use program::model::{
    Bits, EdgeId, Instances, LocationId, ObjectId, Program, RegisterId, Undefined,
};

/// What happened in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRun {
    /// The executed statements, in order.
    pub steps: Vec<ReplayStep>,
    /// The state in which the run was left.
    pub state: State,
    /// How it ended.
    pub end: ReplayEnd,
}

/// An executed statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// The thread.
    pub instance: InstanceId,
    /// The edge of the statement, in the thread's template.
    pub edge: EdgeId,
    /// Where the statement comes from.
    pub site: SiteId,
    /// Where the thread is afterwards.
    pub location: LocationId,
    /// Why the statement has no defined meaning, if so.
    pub undefined: Option<Undefined>,
    /// The nondeterministic values it consumed.
    pub inputs: Vec<u128>,
    /// What it did beyond the thread's registers.
    pub events: Vec<Observation>,
    /// The registers it wrote that are live afterwards, with their values.
    pub registers: Vec<(RegisterId, Bits)>,
}

impl ReplayStep {
    /// Whether the step freed an object.
    pub fn frees(&self, object: ObjectId) -> bool {
        self.events.contains(&Observation::Freed(object))
    }

    /// Whether the step allocated one of some objects.
    pub fn allocates(&self, objects: &[ObjectId]) -> bool {
        self.events.iter().any(|event| {
            matches!(event, Observation::Allocated { object, .. } if objects.contains(object))
        })
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// The last step led to an [error](program::model::LocationKind::Error) location.
    Error {
        /// The thread that is there.
        instance: InstanceId,
        /// What to report: the site of the edge that leads there.
        site: SiteId,
    },
    /// The whole schedule was executed and no error was met.
    NoError,
    /// The schedule is none of this program.
    Impossible {
        /// Position in [`Schedule::events`].
        event: usize,
        /// Why.
        error: ReplayError,
    },
}

/// Why a schedule is none of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no such thread.
    #[error("there is no thread {0}")]
    NoThread(InstanceId),
    /// The thread waits.
    #[error("the thread is not enabled: {0:?}")]
    Waiting(Waiting),
    /// The thread does not exist yet, is at its end, or the whole run is.
    #[error("the thread has no next statement")]
    Finished,
    /// The statements ask for more values than the event has.
    #[error("a nondeterministic value is missing")]
    MissingInput,
    /// The event has more values than its statements ask for.
    #[error("{0} nondeterministic values are left over")]
    UnusedInputs(usize),
    /// A value that is impossible, such as an allocation in a slot that is not free.
    #[error("a nondeterministic value is impossible")]
    Rejected,
}

/// Runs a schedule until it ends or an error location is reached.
pub fn replay(program: &Program, instances: &Instances, schedule: &Schedule) -> ReplayedRun {
    let interpreter = Interpreter::new(program, instances);
    let mut run = ReplayedRun::start(&interpreter);
    for (position, event) in schedule.events.iter().enumerate() {
        if let Err(error) = run.event(&interpreter, event) {
            run.end = ReplayEnd::Impossible {
                event: position,
                error,
            };
        }
        if run.end != ReplayEnd::NoError {
            break;
        }
    }
    run
}

impl ReplayedRun {
    /// The run in which nothing happened yet.
    pub(super) fn start(interpreter: &Interpreter<'_>) -> Self {
        Self {
            steps: Vec::new(),
            state: interpreter.initial(),
            end: ReplayEnd::NoError,
        }
    }

    /// The statement that freed an object last, if one did.
    pub fn freed_at(&self, object: ObjectId) -> Option<SiteId> {
        let mut steps = self.steps.iter().rev();
        steps.find(|step| step.frees(object)).map(|step| step.site)
    }

    /// Runs the statements of one event.
    pub(super) fn event(
        &mut self,
        interpreter: &Interpreter<'_>,
        event: &Event,
    ) -> Result<(), ReplayError> {
        if !interpreter.instances.threads.is_valid(event.instance) {
            return Err(ReplayError::NoThread(event.instance));
        }
        let mut tape = Tape {
            inputs: &event.inputs,
            events: Vec::new(),
            missing: false,
        };
        for _ in 0..event.steps {
            self.statement(interpreter, event.instance, &mut tape)?;
            if self.end != ReplayEnd::NoError {
                return Ok(());
            }
        }
        if tape.inputs.is_empty() {
            Ok(())
        } else {
            Err(ReplayError::UnusedInputs(tape.inputs.len()))
        }
    }

    fn statement(
        &mut self,
        interpreter: &Interpreter<'_>,
        instance: InstanceId,
        tape: &mut Tape<'_>,
    ) -> Result<(), ReplayError> {
        let (state, executed, inputs) = match interpreter.step(&self.state, instance, tape) {
            _ if tape.missing => return Err(ReplayError::MissingInput),
            StepResult::Executed {
                state,
                executed,
                inputs,
            } => (state, executed, inputs),
            StepResult::Waiting(waiting) => return Err(ReplayError::Waiting(waiting)),
            StepResult::Finished => return Err(ReplayError::Finished),
            StepResult::Rejected => return Err(ReplayError::Rejected),
        };
        self.state = state;
        let Executed {
            edge,
            location,
            undefined,
        } = executed;
        let template = interpreter.template(instance);
        let live = interpreter.live(interpreter.instances.threads[instance].template, location);
        let mut registers = Vec::new();
        template.edges[edge]
            .statement
            .for_each_definition(|register| {
                if live.contains(&register) {
                    let value = self.state.register(instance, register);
                    registers.push((
                        register,
                        Bits {
                            width: template.registers[register].width,
                            value,
                        },
                    ));
                }
            });
        let site = template.edges[edge].site;
        let events = std::mem::take(&mut tape.events);
        self.steps.push(ReplayStep {
            instance,
            edge,
            site,
            location,
            undefined,
            inputs,
            events,
            registers,
        });
        if interpreter.kind(&self.state, instance).is_error() {
            self.end = ReplayEnd::Error { instance, site };
        }
        Ok(())
    }
}

/// Supplies the values of an event.
struct Tape<'a> {
    inputs: &'a [u128],
    events: Vec<Observation>,
    missing: bool,
}

impl Oracle for Tape<'_> {
    fn choose(&mut self, _choice: &NondeterministicChoice<'_>) -> u128 {
        match self.inputs.split_first() {
            Some((&first, rest)) => {
                self.inputs = rest;
                first
            }
            None => {
                self.missing = true;
                0
            }
        }
    }

    fn observe(&mut self, event: Observation) {
        self.events.push(event);
    }
}
