//! From an order of events to a schedule of the program.

use std::collections::BTreeMap;

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use encode::blocks::Cut;
use encode::context::EncodingContext;
use encode::counterexample::{ModelOracle, ModelValues, is_stray_access};
use explicit::interpret::{Interpreter, State, StepResult};
use program::model::{LocationId, LocationKind};

use crate::event::{End, EventId, Place, Unwinding};
use crate::loops::{Forests, Loop, Successor, UnwindingBounds};

/// Why a linear order of the events of a model is no run of the program. Where numbers may look like addresses, that happens; else
/// all but the first are faults of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// An address was chosen for an undefined value and happens to be that of some object: the program goes on, the model does not.
    #[error("an access through an undefined address")]
    Stray(SiteId),
    /// The thread that violates something ends otherwise.
    #[error("thread {instance} ends otherwise than in the model")]
    NoViolation {
        /// The thread.
        instance: InstanceId,
    },
    /// A thread does not go on where it has an event.
    #[error("thread {instance} does not go on at {location}, where the model lets it")]
    Stuck {
        /// The thread.
        instance: InstanceId,
        /// Where it is.
        location: LocationId,
    },
    /// A thread is where it does not come in the unwinding.
    #[error("thread {instance} is at {location}, where it does not come in the unwinding")]
    Elsewhere {
        /// The thread.
        instance: InstanceId,
        /// Where it is.
        location: LocationId,
    },
}

/// What a schedule is made from.
pub struct Scheduler<'a> {
    context: &'a EncodingContext<'a>,
    forests: &'a Forests,
    bounds: &'a UnwindingBounds,
    unwinding: &'a Unwinding,
    interpreter: Interpreter<'a>,
    state: State,
    /// None for those that do not go on: they have come to the end of the unwinding, or the model chooses what is impossible there.
    places: BTreeMap<InstanceId, Place>,
    schedule: Schedule,
}

impl<'a> Scheduler<'a> {
    /// The beginning of a run.
    pub fn new(
        context: &'a EncodingContext<'a>,
        (forests, bounds): (&'a Forests, &'a UnwindingBounds),
        unwinding: &'a Unwinding,
    ) -> Self {
        let interpreter = Interpreter::new(context.program, context.instances);
        let threads = unwinding.threads.keys();
        let entry = |&instance: &InstanceId| {
            let template = context.instances.threads[instance].template;
            let position = forests[template].entry(context.template(instance));
            let entered = None;
            (instance, Place { position, entered })
        };
        Self {
            context,
            forests,
            bounds,
            unwinding,
            state: interpreter.initial(),
            interpreter,
            places: threads.map(entry).collect(),
            schedule: Schedule::default(),
        }
    }

    /// The schedule in which events happen in this order, until a thread comes to its end.
    ///
    /// # Errors
    /// The program does not do what the model says.
    pub fn run(
        mut self,
        order: &[EventId],
        end: &End,
        values: &dyn ModelValues,
    ) -> Result<Schedule, ScheduleError> {
        self.follow(order, end, values)?;
        let instance = end.instance;
        match self.interpreter.kind(&self.state, instance).is_error() {
            true => Ok(self.schedule),
            false => Err(ScheduleError::NoViolation { instance }),
        }
    }

    /// The schedule in which events happen in this order, until a thread comes to a limit of the program; none if the program does not do
    /// what the model says, or goes on.
    pub fn limit(
        mut self,
        order: &[EventId],
        end: &End,
        values: &dyn ModelValues,
    ) -> Option<Schedule> {
        self.follow(order, end, values).ok()?;
        let kind = self.interpreter.kind(&self.state, end.instance);
        matches!(kind, LocationKind::Limit(_)).then_some(self.schedule)
    }

    fn follow(
        &mut self,
        order: &[EventId],
        end: &End,
        values: &dyn ModelValues,
    ) -> Result<(), ScheduleError> {
        let context = self.context;
        let mut oracle = ModelOracle::new(context.instances, &context.layout, values);
        for &event in order {
            let content = &self.unwinding.events[event];
            let Some(instance) = content.instance else {
                continue;
            };
            // The first event of a thread is its creation.
            let mut happened = content.number == 0;
            while self.places.contains_key(&instance)
                && (!happened || self.event_at(instance) == Some(event))
            {
                if self.has_ended(end) {
                    return Ok(());
                }
                happened |= self.event_at(instance) == Some(event);
                self.step(instance, &mut oracle)?;
            }
        }
        while !self.has_ended(end) {
            self.step(end.instance, &mut oracle)?;
        }
        Ok(())
    }

    /// Whether the thread that comes to an end has come there.
    fn has_ended(&self, end: &End) -> bool {
        self.interpreter.kind(&self.state, end.instance) != LocationKind::Ordinary
    }

    /// The event that the next statement of a thread is part of.
    fn event_at(&self, instance: InstanceId) -> Option<EventId> {
        let thread = &self.unwinding.threads[&instance];
        let place = self.places.get(&instance)?;
        thread.visits.get(place)?.event
    }

    fn step(
        &mut self,
        instance: InstanceId,
        oracle: &mut ModelOracle<'_>,
    ) -> Result<(), ScheduleError> {
        let location = self.state.location(instance);
        let place = self.places.get(&instance);
        let visits = &self.unwinding.threads[&instance].visits;
        let Some((place, visit)) = place.and_then(|place| visits.get_key_value(place)) else {
            return Err(ScheduleError::Elsewhere { instance, location });
        };
        if let Some(edge) = self.interpreter.next_edge(&self.state, instance) {
            let program = (self.context.program, self.context.instances);
            if is_stray_access(
                program,
                self.context.points_to,
                &self.state,
                (instance, edge),
            ) {
                let site = self.context.template(instance).edges[edge].site;
                return Err(ScheduleError::Stray(site));
            }
        }
        oracle.arrive(instance, visit.counters.clone());
        let (state, executed, inputs) = match self.interpreter.step(&self.state, instance, oracle) {
            StepResult::Executed {
                state,
                executed,
                inputs,
            } => (state, executed, inputs),
            StepResult::Rejected => {
                self.places.remove(&instance);
                return Ok(());
            }
            StepResult::Waiting(_) | StepResult::Finished => {
                return Err(ScheduleError::Stuck { instance, location });
            }
        };
        self.state = state;
        self.schedule.push_step(instance, &inputs);
        let template = self.context.instances.threads[instance].template;
        let bound = |header| self.bounds.of(Loop { template, header });
        let next = self.forests[template].successor(&place.position, executed.location, bound);
        let Successor::Position(position) = next else {
            self.places.remove(&instance);
            return Ok(());
        };
        let cuts = &self.context.automaton(instance).cuts;
        let stays = cuts.kind(executed.location) != Some(Cut::External);
        self.places.insert(instance, place.next(position, stays));
        Ok(())
    }
}
