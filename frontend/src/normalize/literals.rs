//! Constants without a name in the program.

use crate::llvm::{Module, Value};

/// Lets constant compound literals lie where equal constants do, as C allows. Clang gives string literals this freedom, but not
/// these, and LLVM would decide comparisons of their addresses.
pub(super) fn share_places(module: &Module) {
    let is_literal =
        |value: &Value| value.is_constant_global() && value.name().starts_with(".compoundliteral");
    let globals = module.globals().into_iter();
    globals.filter(is_literal).for_each(Value::make_unnamed);
}
