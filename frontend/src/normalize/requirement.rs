//! Requirements: conditions without which the program has no defined meaning.

use abi::markers::{INVALID_ACCESS_UNLESS, LOCK_MISUSE_UNLESS, OVERFLOW_UNLESS, UNDEFINED_UNLESS};

use crate::llvm::{Builder, Module, Value};

/// The path is undefined from here unless the condition holds; `what` says in the user's words what happens where it does not.
pub(super) fn require(module: &Module, builder: &Builder, condition: Value, what: &str) {
    insert(module, builder, UNDEFINED_UNLESS, condition, what);
}

/// As [`require`], of what is an invalid access to memory where the condition does not hold.
pub(super) fn require_of_access(module: &Module, builder: &Builder, condition: Value, what: &str) {
    insert(module, builder, INVALID_ACCESS_UNLESS, condition, what);
}

/// As [`require`], of operands for which C gives an operation on integers no value where the condition does not hold.
pub(super) fn require_of_integers(
    module: &Module,
    builder: &Builder,
    condition: Value,
    what: &str,
) {
    insert(module, builder, OVERFLOW_UNLESS, condition, what);
}

/// As [`require`], of what is done to a lock where the condition does not hold.
pub(super) fn require_of_lock(module: &Module, builder: &Builder, condition: Value, what: &str) {
    insert(module, builder, LOCK_MISUSE_UNLESS, condition, what);
}

fn insert(module: &Module, builder: &Builder, marker: &str, condition: Value, what: &str) {
    if condition.integer() != Some(1) {
        let what = module.constant_string(what);
        builder.call_named(module, marker, module.void_type(), &[condition, what]);
    }
}
