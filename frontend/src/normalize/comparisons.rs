//! Comparisons with the address of a variable whose lifetime may be over. LLVM assumes that two variables have different
//! addresses, whenever they live, and would decide such a comparison. So the address is hidden while LLVM's passes run.

use super::identity_calls::{self, HIDE};
use super::scopes::{OperandUse, compared_after_end, may_compare_addresses};
use crate::llvm::{Module, Value};

/// Hides what LLVM must not know in all functions.
pub(super) fn hide(module: &Module) {
    hide_operands(module, compared_after_end(module));
}

/// Hides whatever is compared with something else than a number: where functions are inlined, LLVM decides comparisons of what they get.
pub(super) fn hide_all(module: &Module) {
    let instructions = module.functions().into_iter().flat_map(Value::body);
    let comparisons = instructions.filter(|instruction| may_compare_addresses(*instruction));
    hide_operands(
        module,
        comparisons.flat_map(|comparison| [(comparison, 0), (comparison, 1)]),
    );
}

/// Hides operands of comparisons.
fn hide_operands(module: &Module, operands: impl IntoIterator<Item = OperandUse>) {
    for (comparison, index) in operands {
        identity_calls::hide_operand(module, comparison, index, HIDE);
    }
}

/// Shows again what was hidden: no pass that knows variables may come after this.
pub(super) fn reveal(module: &Module) {
    identity_calls::remove(module, HIDE);
}
