//! Threads that end inside of a routine of `pthread_once`, for which POSIX says nothing about the other threads.

use abi::functions::Effect;

use super::calls;
use crate::llvm::{Builder, Module, Value};

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

/// The calls of the program that end a thread.
pub(super) fn ends_of_threads(module: &Module) -> Vec<Value> {
    let calls = calls::of_library(module).into_iter();
    let ends = calls.filter(|(_, effect)| *effect == Effect::ThreadExit);
    ends.map(|(call, _)| call).collect()
}
