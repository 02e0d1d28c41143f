//! What a thread knows of itself.

use std::cell::Cell;

use abi::ids::InstanceId;

thread_local! {
    static THREAD: Cell<InstanceId> = const { Cell::new(InstanceId::MAIN) };
    static BEGUN: Cell<bool> = const { Cell::new(false) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static COMMITTED: Cell<bool> = const { Cell::new(false) };
    static UNCHANGED: Cell<bool> = const { Cell::new(false) };
}

/// The number of the calling thread.
pub fn thread() -> InstanceId {
    THREAD.get()
}

/// Gives the calling thread its number.
pub fn is(thread: InstanceId) {
    THREAD.set(thread);
    BEGUN.set(true);
}

/// Whether the thread was given its number. The main thread has its own before that.
pub fn has_begun() -> bool {
    BEGUN.get()
}

/// How many atomic regions the thread is inside of.
pub fn depth() -> u32 {
    DEPTH.get()
}

/// Enters or leaves an atomic region.
pub fn set_depth(depth: u32) {
    UNCHANGED.set(false);
    DEPTH.set(depth);
}

/// Whether the phase of the thread's transaction is post.
pub fn committed() -> bool {
    COMMITTED.get()
}

/// Sets the phase.
pub fn set_committed(committed: bool) {
    COMMITTED.set(committed);
}

/// Whether the thread has come from a wait to the next one without a step between that others could notice.
pub fn unchanged() -> bool {
    UNCHANGED.get()
}

/// Says whether it has.
pub fn set_unchanged(unchanged: bool) {
    UNCHANGED.set(unchanged);
}
