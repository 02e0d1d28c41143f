//! The objects of memory that an address may point into: variables of static storage, local variables, and what a call
//! allocates.

use abi::functions::{Effect, effect};

use super::addresses::base;
use crate::llvm::Value;

/// Whether a value is the address of a variable of static storage or a thread-local one that the program defines.
pub(super) fn is_defined_variable(value: Value) -> bool {
    value.is_global_variable() && value.initializer().is_some()
}

/// Whether it is seen where an object of this address comes to life: a local, or what a call allocates.
pub(super) fn comes_to_life(object: Value) -> bool {
    object.is_local_variable() || allocates(object)
}

pub(super) fn allocates(value: Value) -> bool {
    let callee = value.is_call().then(|| value.called_function()).flatten();
    let effect = callee.and_then(|callee| effect(&callee.name()));
    matches!(effect, Some(Effect::Allocate | Effect::AllocateZeroed))
}

/// Whether the address of an object begins here: no other such value is an address in the same object.
fn is_object(value: Value) -> bool {
    value.is_global_variable() || comes_to_life(value)
}

/// Whether blocks may overlap: not those in different variables and heap objects.
pub(super) fn may_overlap(one: Value, other: Value) -> bool {
    let (one, other) = (base(one), base(other));
    one == other || !is_object(one) || !is_object(other)
}
