//! Calls of library functions in the program: `abi::functions` gives each of these functions its meaning.

use abi::functions::{Effect, effect};

use crate::llvm::{Module, Value};

/// The calls of functions that the program declares and the table gives a meaning, with that.
pub(super) fn of_library(module: &Module) -> Vec<(Value, Effect)> {
    module.functions().into_iter().flat_map(calls_in).collect()
}

/// Those in one function.
fn calls_in(function: Value) -> Vec<(Value, Effect)> {
    let known = |call: Value| {
        let callee = call.is_call().then(|| call.callee())?;
        let is_declared = callee.is_function() && callee.is_declaration();
        Some((call, effect(&callee.name()).filter(|_| is_declared)?))
    };
    function.body().into_iter().filter_map(known).collect()
}

/// The calls of the program that end a thread.
pub(super) fn ends_of_threads(module: &Module) -> Vec<Value> {
    module.functions().into_iter().flat_map(ends_in).collect()
}

/// Those in one function.
pub(super) fn ends_in(function: Value) -> Vec<Value> {
    let calls = calls_in(function).into_iter();
    let ends = calls.filter(|(_, effect)| *effect == Effect::ThreadExit);
    ends.map(|(call, _)| call).collect()
}
