//! Comparisons with the address of a variable whose lifetime may be over. LLVM assumes that two variables have different
//! addresses, whenever they live, and would decide such a comparison. So the address is hidden while LLVM's passes run.

use super::identity_calls::{self, HIDE};
use super::scopes::{OperandUse, compared_after_end, may_compare_addresses};
use crate::llvm::{Module, Value};

/// Hides what LLVM must not know in all functions.
pub(super) fn hide(module: &Module) {
    let found = compared_after_end(module);
    hide_where(module, |operand| found.contains(operand));
}

/// Hides whatever is compared with something else than a number: where functions are inlined, LLVM decides comparisons of what they get.
pub(super) fn hide_all(module: &Module) {
    hide_where(module, |&(instruction, _)| {
        may_compare_addresses(instruction)
    });
}

/// Hides operands of comparisons.
fn hide_where(module: &Module, is_hidden: impl Fn(&OperandUse) -> bool) {
    let instructions = module.functions().into_iter().flat_map(Value::body);
    let operands = instructions.flat_map(|instruction| [(instruction, 0), (instruction, 1)]);
    for (comparison, index) in operands.filter(is_hidden) {
        identity_calls::hide_operand(module, comparison, index, HIDE);
    }
}

/// Shows again what was hidden: no pass that knows variables may come after this.
pub(super) fn reveal(module: &Module) {
    identity_calls::remove(module, HIDE);
}
