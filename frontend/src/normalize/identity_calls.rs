//! Calls of declared functions that return the value that they get. LLVM does not know what the functions do, so a pass
//! cannot tell which variable the result points into, or which number it is.
//!
//! `lives` inserts such calls for addresses that may be used in a later life of their variable, `comparisons` for
//! addresses that are compared when the life of their variable may be over, and `floats` for operands of what LLVM must not
//! compute. The calls are gone when normalising ends.

use crate::llvm::{Builder, Module, Value};

/// Functions that return the address that they get, one for each type: that of a variable as it lives now.
pub(super) const THIS_LIFE: &str = "mazurka.this_life.";

/// Whether a call returns the address that it gets.
pub(super) fn is_this_life(call: Value) -> bool {
    call.is_call() && call.callee().name().starts_with(THIS_LIFE)
}

/// Functions that return the address that they get, one for each type.
pub(super) const HIDE: &str = "mazurka.hide.";

/// Whether a call hides the address that it gets.
pub(super) fn is_hidden(call: Value) -> bool {
    call.callee().name().starts_with(HIDE)
}

/// Functions that return the number that they get, one for each type: an operand of an operation that has more than one result.
pub(super) const UNKNOWN_NUMBER: &str = "mazurka.unknown_number.";

/// Lets an instruction get an operand from a call of the function with this prefix for its type.
pub(super) fn hide_operand(module: &Module, instruction: Value, index: u32, prefix: &str) {
    let Some(operand) = instruction.operand(index) else {
        return;
    };
    let kind = operand.value_type_of();
    let name = format!("{prefix}{}", kind.print());
    let function = module
        .function(&name)
        .unwrap_or_else(|| module.declare(&name, kind, &[kind]));
    let builder = Builder::before(module, instruction).copy_position(instruction);
    instruction.set_operand(index, builder.call(function, &[operand]));
}

/// Takes the calls of functions with a prefix away.
pub(super) fn remove(module: &Module, prefix: &str) {
    let functions = module.functions().into_iter();
    for function in functions.filter(|function| function.name().starts_with(prefix)) {
        for call in function.users() {
            if let Some(operand) = call.operand(0) {
                call.replace_all_uses(operand);
            }
            call.erase();
        }
        function.delete_function();
    }
}
