//! Locks, addresses and handles that a run uses although no statement has written them. Fresh memory holds arbitrary
//! content, which may also look initialised, or be the address of some object.
//!
//! Unwritten content is tracked bit by bit, because compilers write a bit-field by reading its unit first, even if the
//! unit is fresh.

mod spread;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::{Observation, ReplayStep, ReplayedRun};
use program::model::{
    AccessKind, Bits, Extent, HavocOrigin, LifeEffect, ObjectId, ObjectKind, Operand, Operation,
    Place, RegisterId, Statement, ThreadEffect, UpdateOperator,
};

use self::spread::{Known, spread};
use crate::accessed::reads;
use crate::task::Task;

const ADDRESS: &str = "an address that was never initialised";
const CONTENT: &str = "what was never initialised";
const HANDLE: &str = "a handle that was never initialised";

/// A use of what was never written.
pub(crate) struct Use {
    /// The position of the step.
    pub step: usize,
    /// Where it is.
    pub site: SiteId,
    /// What it is, in words.
    pub what: String,
    /// Whether a lock is used.
    pub of_lock: bool,
}

/// The first use of what was never written.
pub(crate) fn first_use(task: &Task, run: &ReplayedRun) -> Option<Use> {
    let mut content = Content {
        task,
        zeroed: BTreeSet::new(),
        written: BTreeMap::new(),
        registers: BTreeMap::new(),
        results: BTreeSet::new(),
    };
    run.steps.iter().enumerate().find_map(|(position, step)| {
        let lock = content.lock(step).map(|object| {
            let object = task.names().object(object);
            format!("what was never initialised in `{object}`")
        });
        let operand = || content.operand(step).map(str::to_owned);
        let of_lock = lock.is_some();
        let used = lock.or_else(operand);
        content.follow(step);
        used.map(|what| Use {
            of_lock,
            step: position,
            site: step.site,
            what: format!("use of {what}"),
        })
    })
}

/// What was written to variables, heap objects and registers.
struct Content<'a> {
    task: &'a Task,
    /// Objects that were allocated with zero bytes.
    zeroed: BTreeSet<ObjectId>,
    /// The bytes that were written since the life of their object started, and the bits of each byte that hold
    /// unwritten content all the same.
    written: BTreeMap<(ObjectId, u32), u8>,
    /// The values of registers, and the bits of each value that were never written.
    registers: BTreeMap<(InstanceId, RegisterId), Known>,
    /// Threads that returned values that were never written.
    results: BTreeSet<InstanceId>,
}

impl Content<'_> {
    /// The object of a lock that a step uses, if that was not written.
    fn lock(&self, step: &ReplayStep) -> Option<ObjectId> {
        let is_use = self.task.program.lock_uses.contains(&step.site)
            || matches!(self.task.statement(step), Statement::Mutex { .. });
        step.events.iter().find_map(|event| match *event {
            Observation::Read {
                object,
                offset,
                value,
            } if is_use => self.lacks(object, offset, value.width / 8),
            Observation::Acquired { object, offset }
            | Observation::Released { object, offset }
            | Observation::Refused { object, offset, .. } => {
                let fields = [abi::mutex::OWNER, self.task.program.data_model.mutex().kind];
                let mut fields = fields.into_iter();
                fields.find_map(|field| self.lacks(object, offset + field, abi::mutex::FIELD))
            }
            Observation::Read { .. }
            | Observation::Write { .. }
            | Observation::Uninitialised(_)
            | Observation::Died(_)
            | Observation::Allocated { .. }
            | Observation::Freed(_)
            | Observation::Started(_)
            | Observation::Joined(_)
            | Observation::Detached(_) => None,
        })
    }

    /// The address or handle of a step, if it was never written.
    fn operand(&self, step: &ReplayStep) -> Option<&'static str> {
        let statement = self.task.statement(step);
        let effects = statement.effects();
        let address = effects.access.map(|access| access.address);
        let freed = effects.life.and_then(|life| match life {
            LifeEffect::Frees { address, .. } | LifeEffect::Measures { address } => Some(address),
            LifeEffect::Starts(_)
            | LifeEffect::Ends(_)
            | LifeEffect::Allocates { .. }
            | LifeEffect::Locates { .. }
            | LifeEffect::FindsLeaks(_)
            | LifeEffect::Compares(_) => None,
        });
        let of_thread = effects.thread.and_then(|thread| match thread {
            ThreadEffect::Creates { start, .. } => Some((start, ADDRESS)),
            ThreadEffect::Joins { thread }
            | ThreadEffect::Detaches { thread }
            | ThreadEffect::Names { thread } => Some((thread, HANDLE)),
            ThreadEffect::Exits { .. } => None,
        });
        let required = required(statement).filter(|_| self.is_requirement(step));
        let addresses = [address, freed, called(statement)];
        let addresses = addresses.into_iter().flatten();
        let mut uses = addresses
            .map(|operand| (operand, ADDRESS))
            .chain(of_thread)
            .chain(required.map(|condition| (condition, CONTENT)));
        let used = uses.find(|&(operand, _)| self.is_unwritten(step, operand));
        used.map(|(_, what)| what)
    }

    /// Whether a step is where the library requires something of what it is given.
    fn is_requirement(&self, step: &ReplayStep) -> bool {
        self.task.program.requirements.contains(&step.site)
    }

    fn is_unwritten(&self, step: &ReplayStep, operand: Operand) -> bool {
        self.unwritten(step, operand) != 0
    }

    /// The bits of an operand that were never written.
    fn unwritten(&self, step: &ReplayStep, operand: Operand) -> u128 {
        self.known(step, operand).map_or(0, |known| known.unwritten)
    }

    /// What is known of an operand; nothing of an address.
    fn known(&self, step: &ReplayStep, operand: Operand) -> Option<Known> {
        match operand {
            Operand::Register(register) => self.registers.get(&(step.instance, register)).copied(),
            Operand::Constant(bits) => Some(Known::written(bits)),
            Operand::Address(..) => None,
        }
    }

    /// The registers that a step assigns, and the bits of each value that were never written or are computed from such
    /// bits.
    fn spread(&self, step: &ReplayStep) -> Vec<(RegisterId, Known)> {
        let unwritten = |operand| self.unwritten(step, operand);
        let given = step.registers.iter();
        let given = given.map(|&(register, bits)| {
            let all_if = |condition| if condition { Bits::mask(bits.width) } else { 0 };
            let statement = self.task.statement(step);
            let unwritten = if let Some(access) = statement.effects().access {
                match access.kind {
                    AccessKind::Read => self.read(step, bits.width),
                    AccessKind::Update(_) => all_if(self.reads_unwritten(step)),
                    AccessKind::CompareExchange => {
                        let is_old = access.extent == Extent::Of(Operand::Register(register));
                        all_if(is_old && self.reads_unwritten(step))
                    }
                    AccessKind::Write | AccessKind::Mutex(_) => 0,
                }
            } else if let Statement::ParallelAssign(moves) = statement {
                let moved = moves.iter().find(|(moved, _)| *moved == register);
                moved.map_or(0, |(_, operand)| unwritten(*operand))
            } else if let Statement::Havoc { origin, .. } = statement {
                all_if(*origin == HavocOrigin::Undefined)
            } else if let Statement::Assign { operation, .. } = statement {
                spread(operation, bits.width, |operand| self.known(step, operand))
            } else {
                0
            };
            (register, Known { bits, unwritten })
        });
        given.collect()
    }

    /// The unwritten bits of the value that a step writes to memory.
    fn copies(&self, step: &ReplayStep) -> u128 {
        let all_if = |condition| if condition { u128::MAX } else { 0 };
        let effects = self.task.statement(step).effects();
        if let Some(ThreadEffect::Joins { .. }) = effects.thread {
            return all_if(step.events.iter().any(
                |event| matches!(event, Observation::Joined(thread) if self.results.contains(thread)),
            ));
        }
        let access = effects.access;
        let Some((kind, value)) = access.and_then(|access| Some((access.kind, access.written?)))
        else {
            return 0;
        };
        match kind {
            AccessKind::Write
            | AccessKind::CompareExchange
            | AccessKind::Update(UpdateOperator::Exchange) => self.unwritten(step, value),
            AccessKind::Update(_) => {
                all_if(self.is_unwritten(step, value) || self.reads_unwritten(step))
            }
            AccessKind::Read | AccessKind::Mutex(_) => 0,
        }
    }

    /// The unwritten bits of the value that a load of `width` bits reads. If the bytes of the load are parts of words
    /// that hold addresses, these words follow the bytes. If a word has unwritten bits, all bits of the value count as
    /// unwritten.
    fn read(&self, step: &ReplayStep, width: u32) -> u128 {
        let mut bytes = reads(step).map(|(object, at)| self.unwritten_bits(object, at));
        let own = bytes.by_ref().take(width.div_ceil(8) as usize);
        let unwritten = own.zip((0..).step_by(8)).fold(0, |bits, (byte, position)| {
            bits | u128::from(byte) << position
        });
        match bytes.any(|byte| byte != 0) {
            true => Bits::mask(width),
            false => unwritten,
        }
    }

    fn reads_unwritten(&self, step: &ReplayStep) -> bool {
        reads(step).any(|(object, at)| self.lacks(object, at, 1).is_some())
    }

    /// The object if one of these bytes still holds anything.
    fn lacks(&self, object: ObjectId, offset: u32, size: u32) -> Option<ObjectId> {
        let mut bytes = offset..offset + size;
        bytes
            .any(|at| self.unwritten_bits(object, at) != 0)
            .then_some(object)
    }

    /// The bits of a byte that still hold anything.
    fn unwritten_bits(&self, object: ObjectId, at: u32) -> u8 {
        let starts_as_anything = || match self.task.instances.objects[object].kind {
            ObjectKind::Local(..) => true,
            ObjectKind::Heap { .. } => !self.zeroed.contains(&object),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => false,
        };
        match self.written.get(&(object, at)) {
            Some(unwritten) => *unwritten,
            None if starts_as_anything() => u8::MAX,
            None => 0,
        }
    }

    fn follow(&mut self, step: &ReplayStep) {
        let spread = self.spread(step);
        let spread = spread.into_iter();
        self.registers
            .extend(spread.map(|(register, known)| ((step.instance, register), known)));
        let effects = self.task.statement(step).effects();
        if let Some(ThreadEffect::Exits { value: Some(value) }) = effects.thread
            && self.is_unwritten(step, value)
        {
            self.results.insert(step.instance);
        }
        let copies = self.copies(step);
        let starts = matches!(
            effects.thread,
            Some(ThreadEffect::Creates { argument, .. }) if self.is_unwritten(step, argument)
        );
        for event in &step.events {
            match *event {
                Observation::Write {
                    object,
                    offset,
                    value,
                } => {
                    let bytes = (offset..offset + value.width / 8).zip(copies.to_le_bytes());
                    let bytes = bytes.map(|(at, unwritten)| ((object, at), unwritten));
                    self.written.extend(bytes);
                }
                Observation::Uninitialised(object) => self.forget(object),
                Observation::Allocated { object, .. } => {
                    self.forget(object);
                    if matches!(
                        effects.life,
                        Some(LifeEffect::Allocates { zeroed: true, .. })
                    ) {
                        self.zeroed.insert(object);
                    }
                }
                Observation::Started(thread) if starts => {
                    let template = self.task.instances.threads[thread].template;
                    let parameters = &self.task.program.templates[template].parameters;
                    let parameters = parameters.iter();
                    self.registers
                        .extend(parameters.map(|&parameter| ((thread, parameter), Known::NOTHING)));
                }
                Observation::Read { .. }
                | Observation::Died(_)
                | Observation::Freed(_)
                | Observation::Started(_)
                | Observation::Joined(_)
                | Observation::Detached(_)
                | Observation::Acquired { .. }
                | Observation::Released { .. }
                | Observation::Refused { .. } => {}
            }
        }
    }

    fn forget(&mut self, object: ObjectId) {
        self.zeroed.remove(&object);
        self.written.retain(|&(written, _), _| written != object);
    }
}

/// The pointer of which a statement looks which function it points to, as a call through a pointer does.
fn called(statement: &Statement) -> Option<Operand> {
    if let Statement::Assign {
        operation:
            Operation::Compare(_, pointer, Operand::Address(Place::Function(_), _))
            | Operation::Compare(_, Operand::Address(Place::Function(_), _), pointer),
        ..
    } = *statement
    {
        Some(pointer)
    } else {
        None
    }
}

/// The condition under which an edge is taken.
fn required(statement: &Statement) -> Option<Operand> {
    if let Statement::Guard { condition, .. } = *statement {
        Some(condition)
    } else {
        None
    }
}
