//! What C leaves undefined becomes explicit, and what LLVM may assume beyond that is forgotten. This is done before LLVM simplifies
//! anything: once for the functions of the program, and once for those that were added since.

use super::{calls, convert, divide, poison, strip};
use crate::llvm::{Module, Value};

/// Marks the functions whose meaning is explicit.
const EXPLICIT: &str = "mazurka-explicit";

/// Makes the meaning of the functions explicit that were not here before.
pub(super) fn make_explicit(module: &Module) {
    divide::require_no_remainder(module);
    strip::assumptions(module);
    strip::make_undefined_behaviour_explicit(module);
    convert::make_requirements_explicit(module);
    divide::make_requirements_explicit(module);
    poison::make_requirements_explicit(module);
    calls::make_atomic(module);
    for function in added(module) {
        function.add_string_attribute(module, EXPLICIT);
    }
}

/// The functions with a body whose meaning is not explicit yet.
pub(super) fn added(module: &Module) -> impl Iterator<Item = Value> {
    let is_added =
        |function: &Value| !function.is_declaration() && !function.has_string_attribute(EXPLICIT);
    module.functions().into_iter().filter(is_added)
}

/// Takes the mark from functions that come with it.
pub(super) fn forget(module: &Module) {
    for function in module.functions() {
        function.remove_string_attribute(EXPLICIT);
    }
}
