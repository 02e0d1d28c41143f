//! Verification engines over transition systems.
//!
//! * [`Engine`]: the interface of all engines;
//! * [`Bmc`]: bounded model checking; [`KInduction`]: k-induction; [`Ctigar`]: IC3 over predicates.

mod bmc;
mod bounded_search;
mod ctigar;
mod engine;
mod k_induction;

pub use bmc::{Bmc, BmcOptions};
pub use ctigar::{Ctigar, CtigarOptions, Family, Precision};
pub use engine::{Engine, NewSolver};
pub use k_induction::{KInduction, KInductionOptions, SimplePath};
