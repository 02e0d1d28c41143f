//! The reasons why a module cannot be normalised.

use crate::llvm::ModuleError;

/// Why a module cannot be normalised.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NormalizeError {
    /// LLVM refuses; not expected of a module that passed its verifier.
    #[error(transparent)]
    Llvm(#[from] ModuleError),
    /// Inlining everything would not end well.
    #[error("inlining gives {0} instructions")]
    TooLarge(u64),
}
