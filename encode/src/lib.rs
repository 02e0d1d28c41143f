//! Program to transition system by large-block encoding.
//!
//! The way through the crate: [`layout`] splits memory into cells, and [`semantics`] says what statements do to terms. On top of that,
//! [`blocks`] chooses cut points, [`execute`] runs one block, [`constant_propagation`] finds what is constant, [`transition`] makes a guarded update of every block and [`system`] one functional system of them all, in which [`recurrence`] looks for runs that go on for ever. [`counterexample`]
//! translates a trace of the system into a schedule of the program.

pub mod blocks;
pub mod constant_propagation;
pub mod context;
pub mod counterexample;
mod effects;
mod encoding;
pub mod execute;
mod families;
mod initial;
pub mod layout;
pub mod names;
mod options;
pub mod program_counter;
pub mod properties;
pub mod recurrence;
pub mod register_coalescing;
pub mod semantics;
pub mod statement_accesses;
pub mod system;
pub mod transition;
mod values;

pub use self::encoding::{Encoding, Place, Statistics, encode};
pub use self::families::Family;
pub use self::options::Options;
