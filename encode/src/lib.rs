//! Program to transition system by large-block encoding.
//!
//! The way through the crate: [`blocks`] chooses cut points, [`layout`] splits memory into cells, [`execute`] runs one block
//! symbolically (`statement`, `memory`, `threads`, `mutex`, `heap` say what statements do), [`constant_propagation`] finds what is
//! constant, [`transition`] makes a guarded update of every block and [`system`] one functional system of them all. [`counterexample`]
//! translates a trace of the system into a schedule of the program.

pub mod address;
pub mod approximation;
pub mod blocks;
mod conflict_test;
pub mod constant_propagation;
pub mod context;
pub mod counterexample;
mod effects;
mod encoding;
pub mod execute;
mod heap;
mod initial;
pub mod inputs;
pub mod layout;
pub mod memory;
mod mutex;
pub mod names;
mod number;
mod offset;
pub mod operation;
mod options;
pub mod path;
pub mod program_counter;
pub mod properties;
mod ranges;
pub mod register_coalescing;
mod statement;
pub mod statement_accesses;
pub mod system;
mod threads;
pub mod transition;

pub use self::encoding::{Encoding, Statistics, encode};
pub use self::options::Options;
