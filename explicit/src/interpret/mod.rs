//! The reference semantics: what every statement does, over byte memory.
//!
//! [`Interpreter::step`] lets one thread execute one statement. What the semantics leaves open (see [`Choice`]) is asked
//! from an [`Oracle`], as late as possible: a byte of fresh memory gets its value when it is read. `docs/semantics.md`
//! says the same in words; `replay` runs a whole schedule, [`crate::explore`] all of them.

mod conflict_test;
mod execute;
mod heap;
mod lifecycle;
mod memory;
mod mutex;
mod number;
pub mod operation;
mod oracle;
mod replay;
mod state;
mod waiting;

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

pub use self::oracle::{Choice, Event, Oracle};
pub use self::replay::{Replay, ReplayEnd, ReplayError, ReplayStep, replay};
pub use self::state::State;
pub use self::waiting::Waiting;

use self::execute::{Execution, Stop};
use self::memory::{Access, MemoryMap, Range, Slot};
pub(crate) use self::state::{Claim, Thread, ThreadStatus};
use program::automaton::Outgoing;
use program::dataflow::Liveness;
use program::model::{
    Bits, EdgeId, Instance, Instances, InvalidAccess, Location, LocationId, LocationKind, ObjectId,
    Operand, Program, RegisterId, Statement, Template, TemplateId, Undefined,
};
use program::names::Names;

/// The semantics of one program with its threads and objects.
#[derive(Debug)]
pub struct Interpreter<'a> {
    program: &'a Program,
    instances: &'a Instances,
    memory: MemoryMap,
    automata: PrimaryMap<TemplateId, Automaton>,
}

/// What the interpreter knows about a template beforehand.
#[derive(Debug)]
struct Automaton {
    outgoing: Outgoing,
    liveness: Liveness,
    /// The registers that are dead after an edge and may not have been before.
    dying: SecondaryMap<EdgeId, Vec<RegisterId>>,
}

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

impl<'a> Interpreter<'a> {
    /// Prepares the interpretation of a program.
    pub fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let automata = program.templates.values().map(Automaton::new).collect();
        Self {
            program,
            instances,
            memory: MemoryMap::new(program, instances),
            automata,
        }
    }

    /// The first state: the main thread at its entry, no other thread created.
    pub fn initial(&self) -> State {
        let thread = |(id, instance): (InstanceId, &Instance)| {
            let template = &self.program.templates[instance.template];
            Thread {
                location: template.entry,
                phase: if id == InstanceId::MAIN {
                    ThreadStatus::Running
                } else {
                    ThreadStatus::Unused
                },
                claim: Claim::Joinable,
                registers: template.registers.keys().map(|_| 0).collect(),
            }
        };
        let threads = self.instances.threads.iter().map(thread).collect();
        State {
            threads,
            memory: self.memory.initial(),
            stopped: false,
        }
    }

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

    /// The kind of the location where a thread is.
    pub fn kind(&self, state: &State, instance: InstanceId) -> LocationKind {
        self.location(state, instance).kind
    }

    /// The registers that are live at a location of a template, in ascending order.
    pub fn live(&self, template: TemplateId, location: LocationId) -> &[RegisterId] {
        self.automata[template].liveness.at(location)
    }

    /// Whether a vector can be the memory of a state, which may not be reachable.
    pub(crate) fn is_memory(&self, data: &[u8]) -> bool {
        self.memory.is_memory(data)
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

    /// Names of the threads and objects.
    pub(crate) fn names(&self) -> Names<'a> {
        Names {
            program: self.program,
            instances: self.instances,
        }
    }

    /// The thread inside an atomic region, if there is one.
    pub(crate) fn inside_atomic(&self, state: &State) -> Option<InstanceId> {
        let inside = |&id: &InstanceId| {
            state.thread(id).phase != ThreadStatus::Unused
                && self.location(state, id).atomic_depth > 0
        };
        self.instances.threads.keys().find(inside)
    }

    /// The state after a statement of a thread, if that had no defined meaning.
    pub fn refuse(&self, state: &State, instance: InstanceId, edge: EdgeId) -> State {
        let mut state = state.clone();
        self.arrive(
            &mut state,
            instance,
            edge,
            self.template(instance).undefined,
        );
        state
    }

    /// The edge that a thread takes next: the guard that holds, where there are two.
    pub fn next_edge(&self, state: &State, instance: InstanceId) -> Option<EdgeId> {
        let template = self.template(instance);
        let edges = self
            .automaton(instance)
            .outgoing
            .of(state.location(instance));
        let passes = |&&edge: &&EdgeId| match template.edges[edge].statement {
            Statement::Guard { condition, holds } => {
                (self.value(state, instance, condition) != 0) == holds
            }
            Statement::Skip
            | Statement::Assign { .. }
            | Statement::ParallelAssign(_)
            | Statement::Havoc { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AtomicRmw { .. }
            | Statement::CompareExchange { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Allocate { .. }
            | Statement::Free { .. }
            | Statement::Size { .. }
            | Statement::Create { .. }
            | Statement::Join { .. }
            | Statement::Detach { .. }
            | Statement::SelfHandle { .. }
            | Statement::SelfNumber { .. }
            | Statement::Number { .. }
            | Statement::TestConflicts { .. }
            | Statement::Mutex { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { .. } => true,
        };
        edges.iter().find(passes).copied()
    }

    /// Moves a thread to the end of its step; a sink inside of an atomic region ends the run, as nobody may see half of it.
    fn arrive(&self, state: &mut State, instance: InstanceId, edge: EdgeId, location: LocationId) {
        let depth = self.location(state, instance).atomic_depth;
        let planned = self.template(instance).edges[edge].target == location;
        let thread = state.thread_mut(instance);
        thread.location = location;
        if planned {
            for &register in &self.automaton(instance).dying[edge] {
                thread.registers[register] = 0;
            }
        } else {
            thread.registers.values_mut().for_each(|value| *value = 0);
        }
        if self.location(state, instance).kind == LocationKind::Exited {
            let phase = &mut state.thread_mut(instance).phase;
            *phase = match *phase {
                ThreadStatus::Returned(result) => ThreadStatus::Returned(result),
                ThreadStatus::Unused | ThreadStatus::Running => ThreadStatus::Returned(None),
            };
        }
        let inside = depth > 0 || self.location(state, instance).atomic_depth > 0;
        state.stopped |= match self.location(state, instance).kind {
            LocationKind::Ordinary | LocationKind::Exited | LocationKind::Error(_) => false,
            LocationKind::Halted => true,
            LocationKind::Blocked | LocationKind::Limit(_) => inside,
        };
    }

    /// The value of an operand for a thread.
    fn value(&self, state: &State, instance: InstanceId, operand: Operand) -> u128 {
        match operand {
            Operand::Register(register) => state.thread(instance).registers[register],
            Operand::Constant(bits) => bits.value,
            Operand::Address(place, offset) => {
                u128::from(self.instances.address(instance, place, offset))
            }
        }
    }

    /// Whether an object is a variable of a thread, or memory of the stack, whose life is over.
    fn is_over(&self, state: &State, object: ObjectId) -> bool {
        let owner = self.instances.owner(object);
        let pool = self.instances.pool(object);
        let is_freed = || self.memory.slot(&state.memory, object) == Some(Slot::Freed);
        pool.is_some_and(|pool| self.program.heap_sites[pool].automatic && is_freed())
            || self.memory.is_out_of_scope(&state.memory, object)
            || owner
                .is_some_and(|owner| matches!(state.thread(owner).phase, ThreadStatus::Returned(_)))
    }

    /// The bytes of an access, if it is valid.
    fn valid_range(
        &self,
        state: &State,
        address: u64,
        len: u32,
        access: Access,
    ) -> Result<Range, InvalidAccess> {
        let range = self.memory.access(&state.memory, address, len, access)?;
        match self.instances.owner(range.object) {
            Some(owner) if matches!(state.thread(owner).phase, ThreadStatus::Returned(_)) => {
                Err(InvalidAccess::OwnerEnded(range.object))
            }
            Some(_) | None => Ok(range),
        }
    }

    pub(crate) fn template(&self, instance: InstanceId) -> &'a Template {
        &self.program.templates[self.instances.threads[instance].template]
    }

    fn automaton(&self, instance: InstanceId) -> &Automaton {
        &self.automata[self.instances.threads[instance].template]
    }

    fn location(&self, state: &State, instance: InstanceId) -> &'a Location {
        &self.template(instance).locations[state.location(instance)]
    }
}

impl Automaton {
    fn new(template: &Template) -> Self {
        let liveness = Liveness::new(template);
        let mut dying = SecondaryMap::with_default(Vec::new());
        for (id, edge) in &template.edges {
            let mut candidates = liveness.at(edge.source).to_vec();
            edge.statement
                .for_each_definition(|register| candidates.push(register));
            candidates.sort_unstable();
            candidates.dedup();
            candidates.retain(|register| liveness.at(edge.target).binary_search(register).is_err());
            dying[id] = candidates;
        }
        Self {
            outgoing: Outgoing::new(template),
            liveness,
            dying,
        }
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
