//! The front end: C or LLVM bitcode becomes a [`program::model::Program`].
//!
//! `file -> `[`input`]` -> bitcode -> normalize -> read -> Program`. This is the only reader; [`load()`] runs all of it.

mod format;
pub mod input;
pub mod llvm;
mod load;
pub mod native;
mod normalize;
mod operand;
mod options;
mod overwritten;
mod read;
#[doc(hidden)]
pub mod testing;

pub use load::{Instrumentation, Loaded, load, read_module, without_origin};
pub use operand::operand;
pub use options::{ReadOptions, UndefinedFunctions};
