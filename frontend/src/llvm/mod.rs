//! Handles on LLVM's objects: the only part of this crate that calls LLVM.
//!
//! [`Module`] owns a context and a module. `Value`, `Type` and `Block` are plain copies of LLVM's pointers, without
//! lifetimes, because `normalize` edits the module while it walks over it. They stay inside this crate, and the
//! rule is the usual one for a compiler: a handle is used only while its module lives and before it is erased.

mod builder;
mod function;
mod instruction;
mod layout;
mod metadata;
mod module;
mod types;
mod value;

pub(crate) use builder::Builder;
pub(crate) use layout::{Displacement, constant_displacement, displacement};
pub(crate) use metadata::Scope;
pub use module::{Module, ModuleError};
pub(crate) use types::Parts;
pub(crate) use value::{Block, Type, Value};
