//! Requirements: conditions without which the program has no defined meaning.

use abi::markers::UNDEFINED_UNLESS;

use crate::llvm::{Builder, Module, Value};

/// The path is undefined from here unless the condition holds; `what` says in the user's words what happens where it does not.
pub(super) fn require(module: &Module, builder: &Builder, condition: Value, what: &str) {
    if condition.integer() != Some(1) {
        let what = module.constant_string(what);
        builder.call_named(
            module,
            UNDEFINED_UNLESS,
            module.void_type(),
            &[condition, what],
        );
    }
}
