//! Checks evidence without the engines' code.
//!
//! A [`Proof`] becomes a [`Certificate`]: what the system is, as SMT-LIB definitions, and a few
//! [obligations] that must be unsatisfiable; a separate solver process discharges them. The definitions print
//! the terms of the system as they are: nothing is substituted or simplified on the way, so an error there cannot hide
//! itself. Where an obligation speaks of long runs, the solver only turns it into clauses; a SAT solver refutes
//! these step by step, and each step is checked. The certificate can be kept as a file that any SMT solver reads.
//!
//! A file is not believed either: what the definitions mean is understood completely, down to sorts, before a solver reads them,
//! and the solver reads what was understood. [`Certificate::is_about`] tells whether a certificate speaks of a system.
//!
//! A violation is checked by [`system::eval::check_trace`], which evaluates the run step by step.

pub mod certificate;
mod clauses;
mod difference;
mod expression;
mod frame;
pub mod head;
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

use std::path::PathBuf;
use std::time::Duration;

use system::transition_system::{Proof, TransitionSystem};

pub use certificate::Certificate;
pub use difference::Difference;
pub use obligations::Obligation;
pub use solver::SolverCommand;
pub use subject::Subject;

/// A proof of which every obligation was discharged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// The obligations, in order.
    pub discharged: Vec<Discharged>,
}

/// An obligation that a solver found unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discharged {
    /// Which one.
    pub name: String,
    /// How long the solver took.
    pub time: Duration,
}

/// Why a proof is not certified.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// The proof is no claim about the system.
    #[error("the proof is malformed: {0}")]
    Proof(String),
    /// An obligation does not hold: the proof is wrong.
    #[error("{obligation} does not hold")]
    Refuted {
        /// Its name.
        obligation: String,
    },
    /// The solver gave up.
    #[error("the solver does not know whether {obligation} holds")]
    Unknown {
        /// Its name.
        obligation: String,
    },
    /// The solver took too long and was stopped.
    #[error("{obligation} was not discharged within {limit:?}")]
    TimeLimit {
        /// Its name.
        obligation: String,
        /// The limit of each obligation.
        limit: Duration,
    },
    /// The solver failed or said something that is no answer.
    #[error("the solver answered {obligation} by: {output}")]
    Answer {
        /// Its name.
        obligation: String,
        /// What the solver wrote, shortened.
        output: String,
    },
    /// The solver could not be run.
    #[error("cannot run {program}: {source}; install it or name another solver")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        source: std::io::Error,
    },
    /// A certificate could not be read or written.
    #[error("{}: {source}", abi::text::path(path))]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file is no certificate.
    #[error(
        "{}:{line}: {cause}; a certificate must be as `verify --certificate` wrote it",
        abi::text::path(path)
    )]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// What is wrong there.
        cause: String,
    },
}

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
