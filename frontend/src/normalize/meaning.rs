//! What C leaves undefined becomes explicit, and what LLVM may assume beyond that is forgotten. This is done before LLVM simplifies
//! anything: once for the functions of the program, and once for those that were added since.

use super::{added, calls, convert, divide, poison, strip};
use crate::llvm::Module;

/// Makes the meaning of the functions explicit that were not here before.
pub(super) fn make_explicit(module: &Module) {
    divide::require_no_remainder(module);
    strip::assumptions(module);
    strip::make_undefined_behaviour_explicit(module);
    convert::make_requirements_explicit(module);
    divide::make_requirements_explicit(module);
    poison::make_requirements_explicit(module);
    calls::make_atomic(module);
    added::mark(module);
}
