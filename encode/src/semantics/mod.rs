//! The meaning of statements over terms, without blocks or transition systems: what each statement does to registers, to the
//! variables behind a [`memory::Memory`], and where it ends. The reference is `explicit::interpret`; this code is independent of it.

pub mod accesses;
pub mod address;
mod conflict_test;
pub mod executor;
mod heap;
pub mod inputs;
mod leaks;
pub mod memory;
mod mutex;
mod number;
mod offset;
pub mod operation;
pub mod path;
mod ranges;
pub mod sink;
mod statement;
mod threads;
