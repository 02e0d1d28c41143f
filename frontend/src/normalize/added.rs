//! The functions whose meaning is not explicit yet: those of the program at first, and then those that were added since.

use crate::llvm::{Module, Value};

/// Marks the functions whose meaning is explicit.
const EXPLICIT: &str = "mazurka-explicit";

/// Those with a body.
pub(super) fn functions(module: &Module) -> impl Iterator<Item = Value> {
    let is_added =
        |function: &Value| !function.is_declaration() && !function.has_string_attribute(EXPLICIT);
    module.functions().into_iter().filter(is_added)
}

/// Marks all of them as explicit.
pub(super) fn mark(module: &Module) {
    for function in functions(module) {
        function.add_string_attribute(module, EXPLICIT);
    }
}

/// Takes the mark from functions that come with it.
pub(super) fn forget(module: &Module) {
    for function in module.functions() {
        function.remove_string_attribute(EXPLICIT);
    }
}
