//! Why a statement has no defined meaning in a state.

use abi::ids::InstanceId;

use crate::model::ObjectId;

/// Why a statement has no defined meaning in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// A memory access.
    #[error(transparent)]
    Access(#[from] InvalidAccess),
    /// A thread is created at an address that is no start routine.
    #[error("{0:#x} is no start routine")]
    Start(u64),
    /// A handle that names no thread, or one that was not created yet.
    #[error("{0} is no thread")]
    Handle(u64),
    /// The memory of a mutex holds a kind that does not exist.
    #[error("a mutex of kind {0}")]
    MutexKind(u32),
    /// Something is freed that is not the start of a live heap object.
    #[error("free of {0:#x}, which is not the start of a live heap object")]
    Free(u64),
}

/// Why a memory access has no defined meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAccess {
    /// Through the null pointer.
    #[error("access through the null pointer")]
    Null,
    /// To an address where no object is.
    #[error("access to {0:#x}, where no object is")]
    NoObject(u64),
    /// Not all bytes lie within the object.
    #[error("access to {len} bytes at offset {offset} of {object}, which has {size} bytes")]
    OutOfBounds {
        /// The object.
        object: ObjectId,
        /// Where the access starts.
        offset: u32,
        /// Number of bytes accessed.
        len: u32,
        /// Size of the object.
        size: u32,
    },
    /// After the object was freed.
    #[error("access to {0}, which was freed")]
    Freed(ObjectId),
    /// A write to a constant.
    #[error("write to {0}, which is constant")]
    Constant(ObjectId),
    /// To the code of a function.
    #[error("access to {0}, which is a function")]
    Function(ObjectId),
}

/// Why a thread that is at an ordinary location does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Another thread is inside an atomic region.
    Atomic(InstanceId),
    /// For a mutex that the thread with this handle holds.
    Mutex(u32),
    /// For the end of this thread.
    Join(InstanceId),
}
