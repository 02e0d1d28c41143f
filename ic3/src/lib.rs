//! Verification engines over transition systems, and the solvers below them.
//!
//! * [`smt`]: satisfiability of terms, with two backends;
//! * [`Budget`]: limits and cancellation;
//! * [`Engine`]: what all engines are.

mod budget;
pub mod smt;

pub use budget::Budget;
