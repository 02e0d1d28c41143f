//! The errors of certification.

use std::path::PathBuf;
use std::time::Duration;

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
