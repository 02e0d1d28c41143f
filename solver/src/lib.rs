//! Satisfiability of terms.
//!
//! [`Solver`] is the narrow interface that engines use; [`Scopes`] adds retractable assertions. Answers have three values
//! and borrow from the solver: a model or a core is valid until the solver is used again, and an [`Answer::Unknown`]
//! carries its reason, so that an engine that gives up can say why. Two backends implement it: [`bitblast::BitBlaster`]
//! over a SAT solver and [`z3::Z3`].

mod backend;
pub mod bitblast;
mod interface;
mod model;
mod statistics;
pub mod z3;

pub use self::backend::Backend;
pub use self::interface::{Answer, FormulaSize, Scopes, Solver, Workload};
pub use self::model::{Model, Valuation};
pub use self::statistics::{Measured, QueryCounts, QueryStatistics};
