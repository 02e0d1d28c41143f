//! LLVM by way of [`inkwell`]: the only part of the workspace that calls LLVM.
//!
//! [`Module`] owns a context and a module. [`Value`], [`Type`] and [`Block`] are plain copies of LLVM's pointers,
//! without lifetimes, because `normalize` edits the module while it walks over it. The rule is the usual one for a
//! compiler: a handle is used only while its module lives and before the value is erased. inkwell's values get the
//! lifetime `'static` in this module, and do not leave it.
//!
//! Functions that inkwell lacks, or that fail for some inputs, come from [`llvm_sys`], with a comment that names the
//! reason; see `docs/decisions/0012-inkwell-and-llvm-sys.md`.

mod builder;
mod contents;
mod debug_types;
mod function;
mod handle;
mod instruction;
mod layout;
mod metadata;
mod module;
mod text;
mod types;
mod value;

pub use builder::Builder;
pub(crate) use debug_types::{DebugType, DebugTypeShape};
pub use handle::{Block, Type, Value};
pub use inkwell::values::InstructionOpcode;
pub(crate) use layout::{Displacement, constant_displacement, displacement};
pub use metadata::MetadataOperand;
pub(crate) use metadata::{DebugFrame, DebugFrames, DebugPositionId, DebugScope};
pub use module::{Module, ModuleError};
pub(crate) use types::TypeParts;
pub(crate) use value::ValueKind;
