//! `verify check-certificate`: every obligation of a certificate, by every solver.

use std::fmt;
use std::time::Instant;

use certify::{Certificate, CertifyError, Obligation, SolverCommand};
use clap::ValueEnum;
use system::transition_system::Reason;

use crate::command::{CheckOptions, Checker};
use crate::verdict::{Failure, with_remedy};
use crate::watch;

/// What the solvers say about a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Every solver discharged every obligation.
    Holds,
    /// A solver found an obligation satisfiable, whatever others say.
    Refuted {
        /// Which, and by whom.
        by: String,
    },
    /// A solver gave up, and none refuted anything.
    Unknown {
        /// Which and why.
        reason: String,
    },
}

impl Checked {
    /// The exit code of the process.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Holds => 0,
            Self::Refuted { .. } => 6,
            Self::Unknown { .. } => 5,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => write!(f, "CERTIFICATE: HOLDS"),
            Self::Refuted { by } => write!(f, "CERTIFICATE: REFUTED ({by})"),
            Self::Unknown { reason } => write!(f, "CERTIFICATE: UNKNOWN ({reason})"),
        }
    }
}

/// Checks a certificate; gives a line for each obligation, and the result.
///
/// # Errors
/// The file is no certificate, or no solver is there that reads it.
pub fn check(options: &CheckOptions) -> Result<(Vec<String>, Checked), Failure> {
    let unusable = |error: CertifyError| Failure::Input(error.to_string());
    let certificate = Certificate::read(&options.file).map_err(unusable)?;
    let solvers = solvers(options)?;
    let start = Instant::now();
    let most = options.timeout - watch::grace(options.timeout);
    let mut lines = Vec::new();
    let mut checked = Checked::Holds;
    for obligation in certificate.obligations() {
        let mut answers = Vec::new();
        for solver in &solvers {
            let solver = SolverCommand {
                time_limit: most.saturating_sub(start.elapsed()),
                ..solver.clone()
            };
            let (answer, result) = ask(&certificate, &obligation, &solver, options)?;
            answers.push(format!("{answer} ({})", solver.program));
            checked = worse(checked, result);
        }
        let Obligation { name, meaning, .. } = obligation;
        lines.push(format!("{name}: {meaning}: {}", answers.join(", ")));
    }
    Ok((lines, checked))
}

/// The first refutation counts, or else the first solver that gave up.
fn worse(known: Checked, new: Checked) -> Checked {
    match (&known, &new) {
        (Checked::Holds, _) | (Checked::Unknown { .. }, Checked::Refuted { .. }) => new,
        (Checked::Refuted { .. } | Checked::Unknown { .. }, _) => known,
    }
}

fn ask(
    certificate: &Certificate,
    obligation: &Obligation,
    solver: &SolverCommand,
    options: &CheckOptions,
) -> Result<(&'static str, Checked), Failure> {
    let name = obligation.name;
    let program = &solver.program;
    match certificate.discharge_one(obligation, solver) {
        Ok(_) => Ok(("unsat", Checked::Holds)),
        Err(CertifyError::Refuted { .. }) => {
            let by = format!("{name} by {program}");
            Ok(("sat", Checked::Refuted { by }))
        }
        Err(error @ CertifyError::Unknown { .. }) => {
            let reason = format!("{program}: {error}");
            Ok(("unknown", Checked::Unknown { reason }))
        }
        Err(CertifyError::TimeLimit { .. }) => {
            let limit = with_remedy(&Reason::Time(options.timeout));
            let reason = format!("{program}: {name} was not discharged: {limit}");
            Ok(("unknown", Checked::Unknown { reason }))
        }
        Err(error) => Err(Failure::Input(format!(
            "{program} cannot read the certificate: {error}; write it anew with `verify --certificate`"
        ))),
    }
}

/// The solvers that were asked for; else those that can be started.
fn solvers(options: &CheckOptions) -> Result<Vec<SolverCommand>, Failure> {
    let command = |checker: &Checker| match checker {
        Checker::Z3 => SolverCommand::z3(options.timeout),
        Checker::Cvc5 => SolverCommand::cvc5(options.timeout),
    };
    let is_named = !options.checker.is_empty();
    let candidates = match is_named {
        true => options.checker.as_slice(),
        false => Checker::value_variants(),
    };
    let mut solvers: Vec<SolverCommand> = candidates.iter().map(command).collect();
    solvers.dedup();
    for solver in &solvers {
        if is_named && !is_installed(solver) {
            return Err(missing(&format!("{} is not", solver.program)));
        }
    }
    solvers.retain(is_installed);
    match solvers.as_slice() {
        [] => Err(missing("neither z3 nor cvc5 is")),
        _ => Ok(solvers),
    }
}

fn missing(what: &str) -> Failure {
    Failure::Usage(format!(
        "{what} installed: a certificate is checked by a separate solver; install one, or choose another with --checker"
    ))
}

/// Whether a program is found where a shell would look for it.
fn is_installed(solver: &SolverCommand) -> bool {
    let directories = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&directories).any(|directory| directory.join(&solver.program).is_file())
}
