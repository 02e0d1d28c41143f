//! A program with its threads and objects, prepared for interpretation: states, values and accesses.

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::memory::{AccessPurpose, ByteRange, MemoryMap, Slot};
use super::state::{Claim, State, Thread, ThreadStatus};
use program::automaton::Outgoing;
use program::dataflow::Liveness;
use program::leaks::AddressWords;
use program::model::{
    EdgeId, Instance, Instances, InvalidAccess, Location, LocationId, LocationKind, ObjectId,
    Operand, Program, RegisterId, Statement, Template, TemplateId,
};
use program::names::Names;

/// The semantics of one program with its threads and objects.
#[derive(Debug)]
pub struct Interpreter<'a> {
    pub(super) program: &'a Program,
    pub(super) instances: &'a Instances,
    pub(super) memory: MemoryMap,
    pub(super) prepared: PrimaryMap<TemplateId, PreparedTemplate>,
    /// Where leaks are looked for, if they are.
    pub(super) address_words: Option<AddressWords>,
}

/// What the interpreter knows about a template beforehand.
#[derive(Debug)]
pub(super) struct PreparedTemplate {
    outgoing: Outgoing,
    pub(super) liveness: Liveness,
    /// The registers that are dead after an edge and may not have been before.
    dying: SecondaryMap<EdgeId, Vec<RegisterId>>,
}

impl<'a> Interpreter<'a> {
    /// Prepares the interpretation of a program.
    pub fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let prepared = program
            .templates
            .values()
            .map(PreparedTemplate::new)
            .collect();
        Self {
            program,
            instances,
            memory: MemoryMap::new(program, instances),
            prepared,
            address_words: AddressWords::analyse(program, instances),
        }
    }

    /// The first state: the main thread at its entry, no other thread created.
    pub fn initial(&self) -> State {
        let thread = |(id, instance): (InstanceId, &Instance)| {
            let template = &self.program.templates[instance.template];
            Thread {
                location: template.entry,
                status: if id == InstanceId::MAIN {
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

    /// The kind of the location where a thread is.
    pub fn kind(&self, state: &State, instance: InstanceId) -> LocationKind {
        self.location(state, instance).kind
    }

    /// The registers that are live at a location of a template, in ascending order.
    pub fn live(&self, template: TemplateId, location: LocationId) -> &[RegisterId] {
        self.prepared[template].liveness.at(location)
    }

    /// Whether a vector can be the memory of a state, which may not be reachable.
    pub(crate) fn is_memory(&self, data: &[u8]) -> bool {
        self.memory.is_memory(data)
    }

    /// Names of the threads and objects.
    pub(crate) fn names(&self) -> Names<'a> {
        Names::new(self.program, self.instances)
    }

    /// The thread inside an atomic region, if there is one.
    pub(crate) fn inside_atomic(&self, state: &State) -> Option<InstanceId> {
        let inside = |&id: &InstanceId| {
            state.thread(id).status != ThreadStatus::Unused
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
        let passes = |&&edge: &&EdgeId| {
            if let Statement::Guard { condition, holds } = template.edges[edge].statement {
                (self.value(state, instance, condition) != 0) == holds
            } else {
                true
            }
        };
        edges.iter().find(passes).copied()
    }

    /// Moves a thread to the location where its step ends. A sink inside of an atomic region ends the run, because no
    /// other thread may observe a part of the region.
    pub(super) fn arrive(
        &self,
        state: &mut State,
        instance: InstanceId,
        edge: EdgeId,
        location: LocationId,
    ) {
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
            let status = &mut state.thread_mut(instance).status;
            *status = match *status {
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
    pub(super) fn value(&self, state: &State, instance: InstanceId, operand: Operand) -> u128 {
        match operand {
            Operand::Register(register) => state.thread(instance).registers[register],
            Operand::Constant(bits) => bits.value,
            Operand::Address(place, offset) => {
                u128::from(self.instances.address(instance, place, offset))
            }
        }
    }

    /// Whether an object is a variable of a thread, or memory of the stack, whose life is over.
    pub(super) fn is_over(&self, state: &State, object: ObjectId) -> bool {
        let owner = self.instances.owner(object);
        let pool = self.instances.pool(object);
        let is_freed = || self.memory.slot(&state.memory, object) == Some(Slot::Freed);
        pool.is_some_and(|pool| self.program.heap_sites[pool].automatic && is_freed())
            || self.memory.is_out_of_scope(&state.memory, object)
            || owner.is_some_and(|owner| {
                matches!(state.thread(owner).status, ThreadStatus::Returned(_))
            })
    }

    /// The bytes of an access, if it is valid.
    pub(super) fn valid_range(
        &self,
        state: &State,
        address: u64,
        len: u32,
        access: AccessPurpose,
    ) -> Result<ByteRange, InvalidAccess> {
        let range = self.memory.access(&state.memory, address, len, access)?;
        match self.instances.owner(range.object) {
            Some(owner) if matches!(state.thread(owner).status, ThreadStatus::Returned(_)) => {
                Err(InvalidAccess::OwnerEnded(range.object))
            }
            Some(_) | None => Ok(range),
        }
    }

    pub(crate) fn template(&self, instance: InstanceId) -> &'a Template {
        &self.program.templates[self.instances.threads[instance].template]
    }

    pub(super) fn automaton(&self, instance: InstanceId) -> &PreparedTemplate {
        &self.prepared[self.instances.threads[instance].template]
    }

    pub(super) fn location(&self, state: &State, instance: InstanceId) -> &'a Location {
        &self.template(instance).locations[state.location(instance)]
    }
}

impl PreparedTemplate {
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
