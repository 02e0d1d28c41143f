//! Checks evidence without the engines' code.
//!
//! A [`Proof`] becomes a [`Certificate`]: the system, as SMT-LIB definitions, and a few [obligations] that must be
//! unsatisfiable; a separate solver process discharges them. The definitions print the terms of the system as they are:
//! nothing is substituted or simplified on the way, so an error there cannot hide itself. If an obligation is about
//! long runs, the solver only turns it into clauses; a SAT solver refutes the clauses step by step, and each step is
//! checked. The certificate can be stored as a file that any SMT solver reads.
//!
//! A file is not trusted either: the definitions are parsed completely, down to sorts, before a solver reads them, and
//! the solver reads the parsed definitions only. [`Certificate::is_about`] tells whether a certificate is about a
//! system.
//!
//! A violation is checked by [`system::eval::check_trace`], which evaluates the run step by step.

pub mod certificate;
mod certified;
mod clauses;
mod count;
mod difference;
mod error;
pub mod event_order;
mod expression;
mod frame;
pub mod head;
mod malformed;
mod name;
pub mod obligations;
mod operator;
mod proof;
pub mod proof_rule;
mod read;
mod refutation;
pub mod solver;
mod subject;
mod words;

use system::transition_system::{Proof, TransitionSystem};

pub use certificate::Certificate;
pub use certified::{Certified, Discharged};
pub use clauses::ClauseCommands;
pub use count::Count;
pub use difference::Difference;
pub use error::CertifyError;
pub use event_order::EventOrder;
pub use obligations::Obligation;
pub use proof_rule::{Family, MOST_THREADS};
pub use solver::SolverCommand;
pub use subject::Subject;

/// Discharges a proof in a separate solver process for each obligation.
///
/// # Errors
/// The first obligation that is not discharged, and why.
pub fn check_proof(
    system: &TransitionSystem,
    proof: &Proof,
    solver: &SolverCommand,
) -> Result<Certified, CertifyError> {
    Certificate::new(system, proof)?.discharge(solver)
}
