//! The reasons why a thread waits.

use abi::ids::InstanceId;

/// Why a thread that is at an ordinary location does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Another thread is inside an atomic region.
    Atomic(InstanceId),
    /// For a mutex that the thread with this number holds.
    Mutex(u32),
    /// For the end of this thread.
    Join(InstanceId),
    /// For memory to be lost.
    Leak,
}
