//! Destructors of thread-specific data. The library keeps them and says when they run; which functions they may be is seen in the
//! program.

use rustc_hash::FxHashSet;

use super::calls::{RUN_DESTRUCTORS, address_taken, build_dispatcher};
use super::library_calls::of_library;
use crate::llvm::{Module, Type, Value};

/// Makes a key; the second argument is the destructor.
const CREATE: &str = "pthread_key_create";

/// `__mazurka_destroy(destructor, value)`: what the library calls a destructor by.
const DESTROY: &str = "__mazurka_destroy";

/// Has the library run destructors where the program has some, and returns all that there may be.
pub(super) fn declare(module: &Module) -> Vec<Value> {
    let calls = of_library(module).into_iter().map(|(call, _)| call);
    let keys = calls.filter(|call| call.callee().name() == CREATE);
    let mut given: Vec<Option<Value>> = keys.map(|call| call.operand(1)).collect();
    given.retain(|given| !given.is_some_and(Value::is_zero));
    if given.is_empty() {
        return Vec::new();
    }
    module.declare(RUN_DESTRUCTORS, module.void_type(), &[]);
    let known: Option<Vec<Value>> = given
        .into_iter()
        .map(|given| given.filter(|given| given.is_function()))
        .collect();
    let mut functions = known.unwrap_or_else(|| address_taken(module));
    let mut seen = FxHashSet::default();
    functions.retain(|function| seen.insert(*function));
    functions
}

/// Lets the library call one of these functions.
pub(super) fn define(module: &Module, destructors: &[Value]) {
    let Some(destroy) = module.function(DESTROY) else {
        return;
    };
    let call_type = Type::function(module.void_type(), &[module.pointer_type()]);
    let dispatcher = build_dispatcher(module, call_type, destructors);
    destroy.replace_all_uses(dispatcher);
    destroy.delete_function();
}
