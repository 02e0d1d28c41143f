//! Nondeterministic choices, and the interface of the oracle that makes them.

use abi::ids::InstanceId;

use program::model::{Bits, HavocOrigin, HeapSiteId, ObjectId, ObjectKind, RegisterId};
use program::names::Names;

/// Decides what the semantics leaves open, and may watch what happens.
pub trait Oracle {
    /// The value to go on with. Bits above the width of the choice are dropped.
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128;

    /// What [`Self::choose`] is going to answer, if that is known. A question about memory that was not read yet is answered
    /// with it, and otherwise as if its content could be anything.
    fn foresee(&self, _choice: &NondeterministicChoice<'_>) -> Option<u128> {
        None
    }

    /// Told of everything that a statement does beyond its thread's registers, in order.
    fn observe(&mut self, _event: Observation) {}
}

/// Something that the semantics leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NondeterministicChoice<'a> {
    /// The value of a register.
    Havoc {
        /// The executing thread.
        instance: InstanceId,
        /// Which register is written.
        register: RegisterId,
        /// Its width in bits.
        width: u32,
        /// Why it is open.
        origin: HavocOrigin,
    },
    /// Bytes that hold an arbitrary value and are read for the first time.
    Content {
        /// The object.
        object: ObjectId,
        /// Where the access that reads them starts.
        offset: u32,
        /// Bit `k` is set if byte `offset + k` is arbitrary; the bytes of the choice are these in ascending order, little endian.
        bytes: u16,
    },
    /// The result of a thread that has returned without one, joined for the first time.
    Result {
        /// The thread that has returned.
        of: InstanceId,
        /// The width of an address.
        width: u32,
    },
    /// Which object an allocation takes: one of `slots`, as an object number; 32 bits.
    Slot {
        /// The executing thread.
        instance: InstanceId,
        /// The statement.
        site: HeapSiteId,
        /// The objects that were freed and the first that was never used, in ascending order. Where all were used, the number behind those of
        /// the pool stands for one more, which meets the limit.
        slots: &'a [ObjectId],
    },
}

impl NondeterministicChoice<'_> {
    /// The width of the value in bits.
    pub fn width(&self) -> u32 {
        match self {
            Self::Havoc { width, .. } => *width,
            Self::Content { bytes, .. } => 8 * bytes.count_ones(),
            Self::Result { width, .. } => *width,
            Self::Slot { .. } => 32,
        }
    }

    /// What gets its value from the choice, in the words of the C program.
    pub fn describe(&self, names: &Names<'_>) -> String {
        match *self {
            Self::Havoc {
                instance,
                register,
                origin,
                ..
            } => {
                let template = names.instances.threads[instance].template;
                let register = &names.program.templates[template].registers[register];
                match (&register.variable, origin) {
                    (Some(variable), _) => format!("`{variable}`"),
                    (None, HavocOrigin::Input) => "an input".into(),
                    (None, HavocOrigin::External) => "what an undefined function gives".into(),
                    (None, HavocOrigin::Undefined) => "an undefined value".into(),
                    (None, HavocOrigin::Library) => "the result of a library function".into(),
                    (None, HavocOrigin::Watch) => "which lock is watched".into(),
                }
            }
            Self::Content { object, offset, .. } => content(names, object, offset),
            Self::Result { of, .. } => format!("the result of thread `{}`", names.thread(of)),
            Self::Slot { .. } => "the place of an allocation".into(),
        }
    }
}

/// What an object holds at an offset before it is written.
fn content(names: &Names<'_>, object: ObjectId, offset: u32) -> String {
    match (names.instances.objects[object].kind, offset) {
        (ObjectKind::Base(of), _) => names.placement(of),
        (_, 0) => format!("the first content of `{}`", names.object(object)),
        (_, _) => format!("the first content of `{}+{offset}`", names.object(object)),
    }
}

/// An effect of a statement on what threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Memory was read.
    Read {
        /// The object.
        object: ObjectId,
        /// Where the access starts.
        offset: u32,
        /// What was read; a multiple of 8 bits.
        value: Bits,
    },
    /// Memory was written.
    Write {
        /// The object.
        object: ObjectId,
        /// Where the access starts.
        offset: u32,
        /// What was written; a multiple of 8 bits.
        value: Bits,
    },
    /// The whole object became arbitrary.
    Uninitialised(ObjectId),
    /// The lifetime of a local ended.
    Died(ObjectId),
    /// An object came to life.
    Allocated {
        /// Which.
        object: ObjectId,
        /// Its size in bytes.
        size: u32,
    },
    /// An object's life ended.
    Freed(ObjectId),
    /// A thread was started.
    Started(InstanceId),
    /// A thread was joined.
    Joined(InstanceId),
    /// A thread was detached.
    Detached(InstanceId),
    /// A mutex was acquired, once more if it is recursive.
    Acquired {
        /// The object that contains it.
        object: ObjectId,
        /// Where it starts.
        offset: u32,
    },
    /// A mutex was released, or unlocked once if it is recursive.
    Released {
        /// The object that contains it.
        object: ObjectId,
        /// Where it starts.
        offset: u32,
    },
    /// A mutex operation failed with this error code.
    Refused {
        /// The object that contains it.
        object: ObjectId,
        /// Where it starts.
        offset: u32,
        /// As in `errno.h`.
        code: u32,
    },
}
