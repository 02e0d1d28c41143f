//! States: the content of every thread and every object.

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::memory::MemoryContent;
use program::model::{LocationId, RegisterId};

/// A state of a run. Equal states have equal futures; registers that are dead at a thread's location are 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) threads: Vec<Thread>,
    pub(super) memory: MemoryContent,
    pub(super) stopped: bool,
}

/// What a thread holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    pub(crate) location: LocationId,
    pub(crate) status: ThreadStatus,
    pub(crate) claim: Claim,
    pub(crate) registers: PrimaryMap<RegisterId, u128>,
}

/// How far the life of a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ThreadStatus {
    /// Not created yet.
    Unused,
    /// Created; it may be at a sink.
    Running,
    /// It has returned this value, which is still arbitrary if absent.
    Returned(Option<u64>),
}

/// Whether the handle of a thread may still be used to join or detach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Claim {
    /// It may.
    Joinable,
    /// It was joined.
    Joined,
    /// It was detached.
    Detached,
}

impl State {
    /// Where a thread is; the entry of its template if it was not started.
    pub fn location(&self, instance: InstanceId) -> LocationId {
        self.threads[instance.index()].location
    }

    /// Whether a thread was created.
    pub fn is_started(&self, instance: InstanceId) -> bool {
        self.threads[instance.index()].status != ThreadStatus::Unused
    }

    /// Whether a thread was created and has not returned.
    pub(crate) fn is_running(&self, instance: InstanceId) -> bool {
        self.threads[instance.index()].status == ThreadStatus::Running
    }

    /// Becomes another state of the same program, in the same memory.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (thread, other) in self.threads.iter_mut().zip(&other.threads) {
            (thread.location, thread.status) = (other.location, other.status);
            thread.claim = other.claim;
            let registers = thread.registers.values_mut();
            for (register, &value) in registers.zip(other.registers.values()) {
                *register = value;
            }
        }
        self.memory.data.copy_from_slice(&other.memory.data);
        self.stopped = other.stopped;
    }

    /// Whether a thread was created and has not ended, and all others are not created yet or have ended.
    pub fn is_only(&self, instance: InstanceId) -> bool {
        let is_running = |thread: &Thread| thread.status == ThreadStatus::Running;
        let running = self.threads.iter().filter(|thread| is_running(thread));
        is_running(&self.threads[instance.index()]) && running.count() == 1
    }

    /// The value of a register of a thread; 0 if the register is dead.
    pub fn register(&self, instance: InstanceId, register: RegisterId) -> u128 {
        self.threads[instance.index()].registers[register]
    }

    /// Whether the whole run has ended, so that no thread goes on.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(crate) fn thread(&self, instance: InstanceId) -> &Thread {
        &self.threads[instance.index()]
    }

    pub(crate) fn threads(&self) -> &[Thread] {
        &self.threads
    }

    pub(crate) fn thread_mut(&mut self, instance: InstanceId) -> &mut Thread {
        &mut self.threads[instance.index()]
    }

    pub(crate) fn memory(&self) -> &[u8] {
        &self.memory.data
    }

    pub(crate) fn memory_mut(&mut self) -> &mut [u8] {
        &mut self.memory.data
    }

    /// Undoes the end of the run, for a state whose parts are replaced.
    pub(crate) fn resume(&mut self) {
        self.stopped = false;
    }
}
