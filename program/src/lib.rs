//! Programs: from LLVM bitcode to a model with a concrete meaning.
//!
//! `bitcode -> normalize -> read -> `[`model::Program`], then `threads` enumerates [`model::Instances`] within the
//! bounds. `interpret` gives every statement its meaning and `explore` searches all interleavings.

pub mod automaton;
pub mod builder;
pub mod check;
pub mod condition_lowering;
pub mod dataflow;
pub mod explore;
mod format;
pub mod future_accesses;
pub mod input;
pub mod interpret;
pub mod layout;
pub mod lifetimes;
pub mod llvm;
mod load;
pub mod model;
pub mod names;
pub mod native;
mod normalize;
mod operand;
mod operators;
mod overwritten;
pub mod phases;
pub mod points_to;
pub mod print;
mod read;
pub mod threads;
mod untrusted;

pub use load::{Instrumentation, Loaded, ReadOptions, load, read_module, without_origin};
pub use operand::operand;
