//! Calls of declared functions that return the address that they get. LLVM does not know what the functions do, so a pass
//! cannot tell which variable the result points into.
//!
//! `lives` inserts such calls for addresses that may be used in a later life of their variable, and `comparisons` for
//! addresses that are compared when the life of their variable may be over. The calls are gone when normalising ends.

use crate::llvm::Value;

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
