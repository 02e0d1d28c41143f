//! The reasons why a statement has no defined meaning in a state. [`crate::names::Names`] has their texts.

use abi::ids::InstanceId;

use super::ObjectId;

/// Why a statement has no defined meaning in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// A memory access.
    Access(InvalidAccess),
    /// A thread is created at an address that is no start routine.
    Start(u64),
    /// A handle that names no thread, or one that was not created yet.
    Handle(u64),
    /// The handle of a thread that was joined before.
    Joined(InstanceId),
    /// The handle of a thread that was detached.
    Detached(InstanceId),
    /// The memory of a mutex holds a kind that does not exist.
    MutexKind(u32),
    /// A normal mutex is locked by the thread that holds it. Only where that is verified: else the thread waits for ever.
    LockedAgain,
    /// A normal mutex is unlocked that no thread holds.
    UnlockedFree,
    /// A normal mutex is unlocked that another thread holds: the one with this number.
    UnlockedHeld(u32),
    /// Something is freed that is not the start of a heap object.
    Free(u64),
    /// The size is asked for of something that is not the start of a heap object.
    Resize(u64),
    /// A heap object is freed that was freed before.
    FreedTwice(ObjectId),
    /// The size is asked for of a heap object that was freed before.
    ResizedFreed(ObjectId),
    /// Compare-and-exchange of the address of a variable whose life is over with that of another object.
    Compared(ObjectId),
}

impl Undefined {
    /// The object that was freed before, if that is why.
    pub fn freed(self) -> Option<ObjectId> {
        match self {
            Self::FreedTwice(object)
            | Self::ResizedFreed(object)
            | Self::Access(InvalidAccess::Freed(object)) => Some(object),
            Self::Access(
                InvalidAccess::Null
                | InvalidAccess::NoObject(_)
                | InvalidAccess::OutOfBounds { .. }
                | InvalidAccess::OutOfScope(_)
                | InvalidAccess::OwnerEnded(_)
                | InvalidAccess::Constant(_)
                | InvalidAccess::NoContent(_),
            )
            | Self::Start(_)
            | Self::Handle(_)
            | Self::Joined(_)
            | Self::Detached(_)
            | Self::MutexKind(_)
            | Self::LockedAgain
            | Self::UnlockedFree
            | Self::UnlockedHeld(_)
            | Self::Free(_)
            | Self::Resize(_)
            | Self::Compared(_) => None,
        }
    }
}

impl From<InvalidAccess> for Undefined {
    fn from(access: InvalidAccess) -> Self {
        Self::Access(access)
    }
}

/// Why a memory access has no defined meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidAccess {
    /// Through the null pointer.
    Null,
    /// To an address where no object is.
    NoObject(u64),
    /// Not all bytes lie within the object.
    OutOfBounds {
        /// The object.
        object: ObjectId,
        /// Where the access starts, less than 0 if that is before the object.
        offset: i32,
        /// Number of bytes accessed.
        len: u32,
        /// Size of the object.
        size: u32,
    },
    /// After the object was freed.
    Freed(ObjectId),
    /// To a local outside of its scope.
    OutOfScope(ObjectId),
    /// To a local or thread-local variable of a thread that has ended.
    OwnerEnded(ObjectId),
    /// A write to a constant.
    Constant(ObjectId),
    /// To a function or a thread.
    NoContent(ObjectId),
}
