//! Counterexamples: from a trace of the system to a schedule of the program.
//!
//! The reference interpreter walks every block again, statement by statement; what it leaves open is answered with the
//! inputs and the arbitrary memory of the trace. A walk that does not end where the trace says is an error of this program,
//! never a schedule, unless the trace ends before the program does: at a limit of the encoding, or at an access that is
//! undefined in the system alone.

mod model_oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use explicit::interpret::{Interpreter, State, StepResult};
use program::model::{
    EdgeId, Instances, LimitKind, LocationId, LocationKind, Operand, Program, Property, Statement,
    Template,
};
use program::points_to::{PointsTo, Targets};
use system::transition_system::{Step as TraceStep, Trace, TransitionSystem};

pub use self::model_oracle::{ModelOracle, ModelValues};
use crate::constant_propagation::ConstantPropagation;
use crate::context::EncodingContext;
use crate::execute::Stop;
use crate::layout::Layout;
use crate::program_counter::ProgramCounter;
use crate::properties::{Limit, PropertyMeaning, limits, meanings};
use crate::semantics::inputs::Counters;
use crate::semantics::path::Variable;
use crate::semantics::sink::Sink;
use crate::statement_accesses;
use crate::system::Assembly;

/// Why a trace is none of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CounterexampleError {
    /// The step schedules no thread, or a thread that is not where a block begins.
    #[error("step {step} of the trace schedules no thread that can run")]
    NoBlock {
        /// Position in the trace.
        step: usize,
    },
    /// The program does not follow.
    #[error("step {step} of the trace: {instance} cannot execute the statement at {location}")]
    NotEnabled {
        /// Position in the trace.
        step: usize,
        /// Who was to move.
        instance: InstanceId,
        /// Where it stood.
        location: LocationId,
    },
    /// The program ends somewhere else.
    #[error("step {step} of the trace: {instance} arrives at {location}, not where the trace says")]
    Elsewhere {
        /// Position in the trace.
        step: usize,
        /// Who moved.
        instance: InstanceId,
        /// Where it arrived.
        location: LocationId,
    },
}

/// So often a run that goes on for ever is followed until it comes back to a state of the program.
const ROUNDS: usize = 64;

/// A run of the program that a trace stands for.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its schedule.
    pub schedule: Schedule,
    /// The first access that is undefined in the system alone. The program would go on there: the address was chosen
    /// for an undefined value and happens to be that of some object. The schedule leaves the thread before it.
    pub stray_access: Option<SiteId>,
}

/// What the parts of a trace mean.
#[derive(Clone, Debug)]
pub struct Counterexamples {
    threads: Vec<InstanceId>,
    counters: BTreeMap<InstanceId, ProgramCounter>,
    /// What each property of the system is about.
    meanings: Vec<PropertyMeaning>,
    /// Positions in the state.
    state: BTreeMap<Variable, usize>,
    /// Positions among the inputs.
    inputs: BTreeMap<(u32, u32), usize>,
    scheduler: Option<usize>,
    /// Where the state says whether a state is recorded, if recurring states are looked for.
    recorded: Option<usize>,
    /// The numbers of the inputs at every location of every block.
    numbering: BTreeMap<(InstanceId, LocationId), BTreeMap<LocationId, Counters>>,
    layout: Layout,
    /// Where addresses may point to; accesses elsewhere are undefined in the system.
    points_to: PointsTo,
}

impl Counterexamples {
    /// Separates the system from what its parts mean.
    pub(crate) fn split(
        context: &EncodingContext<'_>,
        facts: &ConstantPropagation,
        assembly: Assembly,
    ) -> (TransitionSystem, Self) {
        let system = assembly.system;
        let position = |term| system.inputs.iter().position(|&input| input == term);
        let inputs = assembly.inputs.iter();
        let back = Self {
            threads: assembly.threads,
            meanings: meanings(&context.program.properties, &assembly.counters).collect(),
            counters: assembly.counters,
            state: assembly
                .variables
                .iter()
                .enumerate()
                .map(|(at, &what)| (what, at))
                .collect(),
            inputs: inputs
                .filter_map(|(key, term)| Some((key, position(term)?)))
                .collect(),
            scheduler: assembly.scheduler.and_then(position),
            recorded: assembly.recorded.and_then(|recorded| {
                let mut state = system.state.iter();
                state.position(|variable| variable.current == recorded)
            }),
            numbering: facts
                .cuts
                .keys()
                .map(|&cut| (cut, numbering(context, cut)))
                .collect(),
            layout: context.layout.clone(),
            points_to: context.points_to.clone(),
        };
        (system, back)
    }

    /// The run of a trace. The last state of the trace is where the schedule ends. If it is one that was recorded before, the schedule
    /// repeats what comes after that.
    ///
    /// `encoded` is the program that was encoded, and `program` the same before a reduction added statements, if one did:
    /// the schedule is one of that.
    pub fn run(
        &self,
        program: &Program,
        encoded: &Program,
        instances: &Instances,
        trace: &Trace,
    ) -> Result<Run, CounterexampleError> {
        let interpreter = Interpreter::new(encoded, instances);
        let mut walk = Walk {
            back: self,
            program,
            encoded,
            instances,
            interpreter: &interpreter,
            state: interpreter.initial(),
            run: Run {
                schedule: Schedule::default(),
                stray_access: None,
            },
        };
        let end = trace.steps.len().saturating_sub(1);
        let recorded = self.recorded_at(trace);
        walk.blocks(trace, 0..recorded.unwrap_or(end))?;
        if let Some(recorded) = recorded {
            walk.rounds(trace, recorded..end)?;
        }
        Ok(walk.run)
    }

    /// The step of a trace in which the state is recorded that it comes back to, if it does.
    fn recorded_at(&self, trace: &Trace) -> Option<usize> {
        let recurs = match self.meanings.get(trace.property)? {
            PropertyMeaning::Violation(violated) => *violated == Property::NoInfiniteRun,
            PropertyMeaning::Limit(_) => false,
        };
        let recorded = self.recorded.filter(|_| recurs)?;
        let mut states = trace.steps.iter().map(|step| &step.state[recorded]);
        let first = states.position(|recorded| recorded.bits() != 0);
        first.map(|first| first - 1)
    }

    /// The limit that a property of the system stands for; none for a property of the program.
    pub fn limit(&self, property: usize) -> Option<Limit> {
        match *self.meanings.get(property)? {
            PropertyMeaning::Violation(_) => None,
            PropertyMeaning::Limit(limit) => Some(limit),
        }
    }

    /// All limits that the system has properties for.
    pub fn limits(&self) -> BTreeSet<Limit> {
        limits(&self.counters)
    }

    /// What the program counters of the threads mean.
    pub fn counters(&self) -> &BTreeMap<InstanceId, ProgramCounter> {
        &self.counters
    }

    /// Who moves in a step.
    fn scheduled(&self, step: &TraceStep) -> Option<InstanceId> {
        let number = self
            .scheduler
            .map_or(0, |position| step.inputs[position].bits());
        self.threads.get(number as usize).copied()
    }

    /// Where a thread stands.
    fn stop(&self, step: &TraceStep, instance: InstanceId) -> Option<Stop> {
        let number = match self.state.get(&Variable::Pc(instance)) {
            Some(&position) => step.state[position].bits(),
            None => 0,
        };
        self.counters[&instance].stop(number)
    }
}

fn numbering(
    context: &EncodingContext<'_>,
    (instance, cut): (InstanceId, LocationId),
) -> BTreeMap<LocationId, Counters> {
    let automaton = context.automaton(instance);
    let order = automaton
        .cuts
        .block(context.template(instance), &automaton.graph, cut);
    Counters::before(context, instance, &order)
}

/// The values in a step of a trace. What is no part of the system does not matter.
#[derive(Debug)]
struct StepValues<'a> {
    back: &'a Counterexamples,
    step: &'a TraceStep,
}

impl ModelValues for StepValues<'_> {
    fn input(&self, _: InstanceId, width: u32, index: u32) -> u128 {
        let position = self.back.inputs.get(&(width, index));
        position.map_or(0, |&position| self.step.inputs[position].bits())
    }

    fn variable(&self, variable: Variable) -> u128 {
        let position = self.back.state.get(&variable);
        position.map_or(0, |&position| self.step.state[position].bits())
    }
}

/// The run so far.
struct Walk<'a> {
    back: &'a Counterexamples,
    program: &'a Program,
    encoded: &'a Program,
    instances: &'a Instances,
    interpreter: &'a Interpreter<'a>,
    state: State,
    run: Run,
}

impl Walk<'_> {
    /// Walks the blocks of these steps.
    fn blocks(&mut self, trace: &Trace, steps: Range<usize>) -> Result<(), CounterexampleError> {
        for step in steps {
            self.block(step, &trace.steps[step], &trace.steps[step + 1])?;
        }
        Ok(())
    }

    /// Walks the blocks of these steps again and again, until the program is in a state in which it was before. What the system does not
    /// know may go on to change, and decide which statements a block consists of, but not where it leads.
    fn rounds(&mut self, trace: &Trace, steps: Range<usize>) -> Result<(), CounterexampleError> {
        let stem = std::mem::take(&mut self.run.schedule);
        let mut before = Vec::new();
        let mut rounds: Vec<Schedule> = Vec::new();
        let mut again = None;
        while again.is_none() && rounds.len() < ROUNDS {
            before.push(self.state.clone());
            self.blocks(trace, steps.clone())?;
            rounds.push(std::mem::take(&mut self.run.schedule));
            again = before.iter().position(|before| *before == self.state);
        }
        if again.is_none() && rounds.windows(2).all(|pair| pair[0] == pair[1]) {
            rounds.truncate(1);
        }
        let repeated_from = again.unwrap_or(rounds.len() - 1);
        self.run.schedule = stem;
        for (position, round) in rounds.into_iter().enumerate() {
            if position == repeated_from {
                self.run.schedule.repeat_from_here();
            }
            self.run.schedule.events.extend(round.events);
        }
        Ok(())
    }

    /// Walks the block of one step.
    fn block(
        &mut self,
        step: usize,
        from: &TraceStep,
        to: &TraceStep,
    ) -> Result<(), CounterexampleError> {
        let nowhere = CounterexampleError::NoBlock { step };
        let instance = self.back.scheduled(from).ok_or(nowhere.clone())?;
        let Some(Stop::Cut(source)) = self.back.stop(from, instance) else {
            return Err(nowhere);
        };
        let goal = self.back.stop(to, instance).ok_or(nowhere)?;
        let numbering = &self.back.numbering[&(instance, source)];
        let values = StepValues {
            back: self.back,
            step: from,
        };
        let mut answers = ModelOracle::new(self.instances, &self.back.layout, &values);
        loop {
            let location = self.state.location(instance);
            answers.arrive(
                instance,
                numbering.get(&location).cloned().unwrap_or_default(),
            );
            let taken = self.interpreter.step(&self.state, instance, &mut answers);
            if is_undefined(goal) && self.makes_stray_access(instance, &taken) {
                return Ok(());
            }
            let StepResult::Executed {
                state,
                executed,
                inputs,
            } = taken
            else {
                let error = CounterexampleError::NotEnabled {
                    step,
                    instance,
                    location,
                };
                return unless_not_encoded(goal, error);
            };
            self.state = state;
            let template = self.instances.threads[instance].template;
            if self.program.has_edge(template, executed.edge) {
                self.run.schedule.push_step(instance, &inputs);
            }
            let location = self.state.location(instance);
            if self.is_at(instance, goal) {
                if executed.undefined.is_some() && !self.violates(instance, goal) {
                    let site = self.template(instance).edges[executed.edge].site;
                    self.run.stray_access.get_or_insert(site);
                }
                return Ok(());
            }
            if !numbering.contains_key(&location) || location == source {
                let error = CounterexampleError::Elsewhere {
                    step,
                    instance,
                    location,
                };
                return unless_not_encoded(goal, error);
            }
        }
    }

    /// Stops a thread if its next statement is undefined in the system alone; whether that is so. `taken` is what
    /// the interpreter makes of it.
    fn makes_stray_access(&mut self, instance: InstanceId, taken: &StepResult) -> bool {
        let is_defined = match taken {
            StepResult::Executed { executed, .. } => executed.undefined.is_none(),
            StepResult::Waiting(_) | StepResult::Rejected => true,
            StepResult::Finished => false,
        };
        let next = self.interpreter.next_edge(&self.state, instance);
        let is_stray = |edge| {
            let program = (self.encoded, self.instances);
            is_stray_access(program, &self.back.points_to, &self.state, (instance, edge))
        };
        let Some(edge) = next.filter(|&edge| is_defined && is_stray(edge)) else {
            return false;
        };
        self.state = self.interpreter.refuse(&self.state, instance, edge);
        let site = self.template(instance).edges[edge].site;
        self.run.stray_access.get_or_insert(site);
        true
    }

    fn template(&self, instance: InstanceId) -> &Template {
        &self.encoded.templates[self.instances.threads[instance].template]
    }

    /// Whether a thread violates a property where a block ends because of that, or the block ends elsewhere.
    fn violates(&self, instance: InstanceId, stop: Stop) -> bool {
        let location = self.state.location(instance);
        let kind = self.template(instance).locations[location].kind;
        kind.is_error() || !matches!(stop, Stop::Sink(Sink::Error(_)))
    }

    fn is_at(&self, instance: InstanceId, stop: Stop) -> bool {
        let location = self.state.location(instance);
        let kind = self.template(instance).locations[location].kind;
        if is_undefined(stop) {
            // What a statement without meaning violates may depend on what lies at an address that it may not have.
            return match kind {
                LocationKind::Error(property) => is_of_statements(property),
                LocationKind::Limit(kind) => kind == LimitKind::Undefined,
                LocationKind::Ordinary
                | LocationKind::Exited
                | LocationKind::Halted
                | LocationKind::Blocked => false,
            };
        }
        match stop {
            Stop::Cut(cut) => cut == location,
            Stop::Sink(Sink::Exited) => kind == LocationKind::Exited,
            Stop::Sink(Sink::Error(property)) => kind == LocationKind::Error(property),
            Stop::Sink(Sink::Halted) => kind == LocationKind::Halted,
            Stop::Sink(Sink::Blocked) => kind == LocationKind::Blocked,
            Stop::Sink(Sink::Limit { kind: limit, .. }) => kind == LocationKind::Limit(limit),
            Stop::Sink(Sink::NotEncoded { .. }) => false,
        }
    }
}

/// Whether a thread accesses or frees an object in a state, or asks for its size, but none that the address may point to.
pub fn is_stray_access(
    (program, instances): (&Program, &Instances),
    points_to: &PointsTo,
    state: &State,
    (instance, edge): (InstanceId, EdgeId),
) -> bool {
    let template = &program.templates[instances.threads[instance].template];
    let statement = &template.edges[edge].statement;
    let targets = |address| points_to.targets(instance, address);
    let place = |address| match address {
        Operand::Register(register) => {
            let value = state.register(instance, register) as u64;
            instances.locate(value)
        }
        Operand::Constant(_) | Operand::Address(..) => None,
    };
    if let Statement::Free { address, .. } | Statement::Size { address, .. } = *statement {
        let (Targets { objects, other }, place) = (targets(address), place(address));
        return place.is_some_and(|(object, _)| {
            !other && objects.iter().all(|&(target, _)| target != object)
        });
    }
    let accesses = statement_accesses::accessed_bytes(template, statement);
    accesses.into_iter().any(|access| {
        place(access.address)
            .is_some_and(|(object, offset)| !targets(access.address).contains(object, offset))
    })
}

/// Whether a block ends because a statement has no defined meaning.
fn is_undefined(goal: Stop) -> bool {
    match goal {
        Stop::Sink(Sink::Limit { kind, .. }) => kind == LimitKind::Undefined,
        Stop::Sink(Sink::Error(property)) => is_of_statements(property),
        Stop::Sink(Sink::Exited | Sink::Halted | Sink::Blocked | Sink::NotEncoded { .. })
        | Stop::Cut(_) => false,
    }
}

/// Whether a property is violated by statements that have no defined meaning.
pub fn is_of_statements(property: Property) -> bool {
    match property {
        Property::ValidDeref | Property::ValidFree | Property::NoLockMisuse => true,
        Property::UnreachCall
        | Property::ValidMemtrack
        | Property::NoOverflow
        | Property::NoDataRace
        | Property::NoDeadlock
        | Property::NoInfiniteRun => false,
    }
}

/// The program goes on behind a limit of the encoding; there the schedule just ends.
fn unless_not_encoded(goal: Stop, error: CounterexampleError) -> Result<(), CounterexampleError> {
    if matches!(goal, Stop::Sink(Sink::NotEncoded { .. })) {
        Ok(())
    } else {
        Err(error)
    }
}
