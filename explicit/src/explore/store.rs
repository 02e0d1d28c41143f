//! Storage of states as tuples of parts, and one unpacked state that the search works on.

use abi::ids::InstanceId;
use cranelift_entity::EntityRef;

use super::choices::Touched;
use super::intern::Interner;
use crate::interpret::{Claim, Interpreter, State, ThreadStatus};
use program::model::{Instances, LocationId};

/// The states of a search, in parts.
#[derive(Debug)]
pub(super) struct StateTable {
    pub(super) threads: Interner<u64>,
    pub(super) memories: Interner<u8>,
    pub(super) states: Interner<u32>,
}

/// The states of a search in progress.
#[derive(Debug)]
pub(super) struct Store<'a> {
    kept: StateTable,
    spread: Unpacked<'a>,
}

/// One state spread out.
#[derive(Debug)]
pub(super) struct Unpacked<'a> {
    interpreter: &'a Interpreter<'a>,
    instances: &'a Instances,
    /// The state that is worked on.
    current: State,
    /// The parts that `current` consists of, each thread and the memory; `DIRTY` where it was changed.
    loaded: Vec<u32>,
    packed: Vec<u64>,
}

const DIRTY: u32 = u32::MAX;

impl StateTable {
    pub(super) fn new() -> Self {
        Self {
            threads: Interner::new(),
            memories: Interner::new(),
            states: Interner::new(),
        }
    }

    /// Number of kept states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// All states but one, for tests that need a wrong set.
    #[cfg(test)]
    pub(super) fn without(&mut self, removed: u32) {
        let all = std::mem::replace(&mut self.states, Interner::new());
        for number in (0..all.len() as u32).filter(|&number| number != removed) {
            self.states.intern(all.get(number));
        }
    }
}

impl<'a> Store<'a> {
    pub(super) fn new(interpreter: &'a Interpreter<'a>, instances: &'a Instances) -> Self {
        Self {
            kept: StateTable::new(),
            spread: Unpacked::new(interpreter, instances),
        }
    }

    /// The state that is worked on.
    pub(super) fn current(&self) -> &State {
        &self.spread.current
    }

    /// The state that is worked on; see [`Store::touch`].
    pub(super) fn current_mut(&mut self) -> &mut State {
        &mut self.spread.current
    }

    /// Spreads out a kept state.
    pub(super) fn load(&mut self, state: u32) {
        self.spread.load(&self.kept, state);
    }

    /// Tells that a turn of `instance` changed the current state.
    pub(super) fn touch(&mut self, instance: InstanceId, touched: Touched) {
        self.spread.touch(instance, touched);
    }

    /// Spreads out a state of which only the parts are stored.
    pub(super) fn load_parts(&mut self, parts: &[u32]) {
        self.spread.load_parts(&self.kept, parts);
    }

    /// Keeps the current state; its number, and whether it is new.
    pub(super) fn keep(&mut self) -> (u32, bool) {
        self.store_parts();
        self.kept.states.intern(&self.spread.loaded)
    }

    /// Stores the parts of the current state, which does not count as kept; their numbers.
    pub(super) fn parts(&mut self) -> Vec<u32> {
        self.store_parts();
        self.spread.loaded.clone()
    }

    fn store_parts(&mut self) {
        let Self { kept, spread } = self;
        let memory = spread.instances.threads.len();
        for position in 0..memory {
            if spread.loaded[position] == DIRTY {
                spread.pack(InstanceId::new(position));
                spread.loaded[position] = kept.threads.intern(&spread.packed).0;
            }
        }
        if spread.loaded[memory] == DIRTY {
            spread.loaded[memory] = kept.memories.intern(spread.current.memory()).0;
        }
    }

    /// Number of kept states.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Memory taken, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.kept.threads.bytes() + self.kept.memories.bytes() + self.kept.states.bytes()
    }

    /// All kept states, when the search is over.
    pub(super) fn into_kept(self) -> StateTable {
        self.kept
    }
}

impl<'a> Unpacked<'a> {
    pub(super) fn new(interpreter: &'a Interpreter<'a>, instances: &'a Instances) -> Self {
        Self {
            interpreter,
            instances,
            current: interpreter.initial(),
            loaded: vec![DIRTY; instances.threads.len() + 1],
            packed: Vec::new(),
        }
    }

    /// Spreads out a kept state. The parts that did not change since the last time must come from the same states.
    pub(super) fn load(&mut self, kept: &StateTable, state: u32) -> &State {
        self.load_parts(kept, kept.states.get(state))
    }

    fn load_parts(&mut self, kept: &StateTable, parts: &[u32]) -> &State {
        let memory = self.instances.threads.len();
        for (position, &part) in parts.iter().enumerate() {
            if self.loaded[position] != part {
                if position == memory {
                    self.current
                        .memory_mut()
                        .copy_from_slice(kept.memories.get(part));
                } else {
                    self.unpack(InstanceId::new(position), kept.threads.get(part));
                }
                self.loaded[position] = part;
            }
        }
        self.current.resume();
        &self.current
    }

    fn touch(&mut self, instance: InstanceId, touched: Touched) {
        let memory = self.instances.threads.len();
        if touched.threads {
            self.loaded[..memory].fill(DIRTY);
        }
        self.loaded[instance.index()] = DIRTY;
        if touched.memory {
            self.loaded[memory] = DIRTY;
        }
    }

    /// A thread as words: location, status and claim, its result if it has one, the live registers.
    fn pack(&mut self, instance: InstanceId) {
        let thread = self.current.thread(instance);
        let (status, result) = match thread.status {
            ThreadStatus::Unused => (0, None),
            ThreadStatus::Running => (1, None),
            ThreadStatus::Returned(None) => (2, None),
            ThreadStatus::Returned(Some(result)) => (3, Some(result)),
        };
        let claim = match thread.claim {
            Claim::Joinable => 0,
            Claim::Joined => 1,
            Claim::Detached => 2,
        };
        self.packed.clear();
        self.packed
            .push(u64::from(thread.location.as_u32()) | (status | claim << 2) << 32);
        self.packed.extend(result);
        let template = self.instances.threads[instance].template;
        let widths = &self.interpreter.template(instance).registers;
        for &register in self.interpreter.live(template, thread.location) {
            let value = thread.registers[register];
            self.packed.push(value as u64);
            if widths[register].width > 64 {
                self.packed.push((value >> 64) as u64);
            }
        }
    }

    fn unpack(&mut self, instance: InstanceId, part: &[u64]) {
        let template = self.instances.threads[instance].template;
        let widths = &self.interpreter.template(instance).registers;
        let thread = self.current.thread_mut(instance);
        for &register in self.interpreter.live(template, thread.location) {
            thread.registers[register] = 0;
        }
        let mut words = part.iter().copied();
        let mut word = || words.next().unwrap_or_default();
        let head = word();
        thread.location = LocationId::from_u32(head as u32);
        thread.claim = match head >> 34 {
            0 => Claim::Joinable,
            1 => Claim::Joined,
            _ => Claim::Detached,
        };
        thread.status = match head >> 32 & 3 {
            0 => ThreadStatus::Unused,
            1 => ThreadStatus::Running,
            2 => ThreadStatus::Returned(None),
            _ => ThreadStatus::Returned(Some(word())),
        };
        for &register in self.interpreter.live(template, thread.location) {
            let low = u128::from(word());
            let high = if widths[register].width > 64 {
                u128::from(word())
            } else {
                0
            };
            thread.registers[register] = high << 64 | low;
        }
    }
}
