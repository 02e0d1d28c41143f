//! Verification engines over transition systems, and the solvers below them.
//!
//! * [`Engine`]: what all engines are; [`Budget`]: what they may spend and how they are stopped;
//! * [`Bmc`]: bounded model checking; [`KInduction`]: k-induction; [`Ctigar`]: IC3 over predicates;
//! * [`smt`]: satisfiability of terms, with two backends.

mod bmc;
mod bounded_search;
mod budget;
mod ctigar;
mod engine;
mod k_induction;
pub mod smt;

pub use bmc::{Bmc, BmcOptions};
pub use budget::{Budget, peak_mebibytes, resident_mebibytes};
pub use ctigar::{Ctigar, CtigarOptions, Precision};
pub use engine::{Engine, NewSolver};
pub use k_induction::{KInduction, KInductionOptions, SimplePath};
