//! Thread-local data of the calling thread.

use std::cell::Cell;

use abi::ids::InstanceId;

use crate::phase;

thread_local! {
    static THREAD: Cell<InstanceId> = const { Cell::new(InstanceId::MAIN) };
    static BEGUN: Cell<bool> = const { Cell::new(false) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
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

/// Enters an atomic region.
pub fn enter() {
    UNCHANGED.set(false);
    DEPTH.set(DEPTH.get() + 1);
}

/// Leaves an atomic region.
pub fn leave() {
    DEPTH.set(DEPTH.get().saturating_sub(1));
    if DEPTH.get() == 0 {
        step();
    }
}

/// Whether the thread has come from a wait to the next one without a step between that others could notice.
pub fn unchanged() -> bool {
    UNCHANGED.get()
}

/// Says that it comes from a wait.
pub fn waited() {
    UNCHANGED.set(true);
}

/// Says that the thread has synchronised, and not waited for it.
pub fn step() {
    UNCHANGED.set(false);
    phase::step();
}
