//! Keeps states in parts, and one state spread out to work on.

use abi::ids::InstanceId;
use cranelift_entity::EntityRef;

use super::choices::Touched;
use super::intern::Interner;
use crate::interpret::{Interpreter, Phase, State};
use crate::model::{Instances, LocationId};

/// All states of a search.
#[derive(Debug)]
pub(super) struct Store<'a> {
    interpreter: &'a Interpreter<'a>,
    instances: &'a Instances,
    threads: Interner<u64>,
    memories: Interner<u8>,
    states: Interner<u32>,
    /// The state that is worked on.
    pub(super) current: State,
    /// The parts that `current` consists of, each thread and the memory; `DIRTY` where it was changed.
    loaded: Vec<u32>,
    packed: Vec<u64>,
}

const DIRTY: u32 = u32::MAX;

impl<'a> Store<'a> {
    pub(super) fn new(interpreter: &'a Interpreter<'a>, instances: &'a Instances) -> Self {
        Self {
            interpreter,
            instances,
            threads: Interner::new(),
            memories: Interner::new(),
            states: Interner::new(),
            current: interpreter.initial(),
            loaded: vec![DIRTY; instances.threads.len() + 1],
            packed: Vec::new(),
        }
    }

    /// Spreads out a kept state.
    pub(super) fn load(&mut self, state: u32) {
        let memory = self.instances.threads.len();
        for position in 0..=memory {
            let part = self.states.get(state)[position];
            if self.loaded[position] != part {
                if position == memory {
                    self.current
                        .memory_mut()
                        .copy_from_slice(self.memories.get(part));
                } else {
                    self.unpack(InstanceId::new(position), part);
                }
                self.loaded[position] = part;
            }
        }
        self.current.resume();
    }

    /// Tells that a turn of `instance` changed the current state.
    pub(super) fn touch(&mut self, instance: InstanceId, touched: Touched) {
        let memory = self.instances.threads.len();
        if touched.threads {
            self.loaded[..memory].fill(DIRTY);
        }
        self.loaded[instance.index()] = DIRTY;
        if touched.memory {
            self.loaded[memory] = DIRTY;
        }
    }

    /// Keeps the current state; its number, and whether it is new.
    pub(super) fn keep(&mut self) -> (u32, bool) {
        let memory = self.instances.threads.len();
        for position in 0..memory {
            if self.loaded[position] == DIRTY {
                self.pack(InstanceId::new(position));
                self.loaded[position] = self.threads.intern(&self.packed).0;
            }
        }
        if self.loaded[memory] == DIRTY {
            self.loaded[memory] = self.memories.intern(self.current.memory()).0;
        }
        self.states.intern(&self.loaded)
    }

    /// Number of kept states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Memory taken, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.threads.bytes() + self.memories.bytes() + self.states.bytes()
    }

    /// A thread as words: location and phase, its result if it has one, the live registers.
    fn pack(&mut self, instance: InstanceId) {
        let thread = self.current.thread(instance);
        let (phase, result) = match thread.phase {
            Phase::Unused => (0, None),
            Phase::Running => (1, None),
            Phase::Returned(None) => (2, None),
            Phase::Returned(Some(result)) => (3, Some(result)),
        };
        self.packed.clear();
        self.packed
            .push(u64::from(thread.location.as_u32()) | phase << 32);
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

    fn unpack(&mut self, instance: InstanceId, part: u32) {
        let template = self.instances.threads[instance].template;
        let widths = &self.interpreter.template(instance).registers;
        let thread = self.current.thread_mut(instance);
        for &register in self.interpreter.live(template, thread.location) {
            thread.registers[register] = 0;
        }
        let mut words = self.threads.get(part).iter().copied();
        let mut word = || words.next().unwrap_or_default();
        let head = word();
        thread.location = LocationId::from_u32(head as u32);
        thread.phase = match head >> 32 {
            0 => Phase::Unused,
            1 => Phase::Running,
            2 => Phase::Returned(None),
            _ => Phase::Returned(Some(word())),
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
