//! Threads that end inside of a routine of `pthread_once`. POSIX does not say what `pthread_exit` there means for the other threads, and
//! that a routine which was cancelled begins anew is not modelled. So the library checks each call that ends a thread.

use super::library_calls::ends_of_threads;
use crate::llvm::{Builder, Module};

/// Lets the library look at each call that ends a thread, in programs that use `pthread_once`.
pub(super) fn watch_ends(module: &Module) {
    if module.function("pthread_once").is_none() {
        return;
    }
    for end in ends_of_threads(module) {
        Builder::before(module, end).copy_position(end).call_named(
            module,
            "__mazurka_thread_ends",
            module.void_type(),
            &[],
        );
    }
}
