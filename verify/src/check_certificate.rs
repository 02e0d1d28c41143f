//! `verify check-certificate`: checks the subject of a certificate, and every obligation with every solver, or every
//! state.

use std::fmt;
use std::time::Instant;

use abi::text;
use certify::certificate::Malformed;
use certify::{Certificate, CertifyError, Obligation, SolverCommand, Subject, head};
use clap::ValueEnum;
use eventgraph::ClaimError;
use explicit::explore::inductiveness::NotInductive;
use program::model::Property;
use system::budget::Budget;
use system::transition_system::Reason;

use crate::any_number::REPRESENTATIVES;
use crate::command::{CheckOptions, Checker};
use crate::counted::counts_returned;
use crate::program_options::ProgramOptions;
use crate::task::{prepare, prepare_for};
use crate::verdict::{Assumptions, Failure, with_remedy};
use crate::{engines, event_orders, states, subject, supervisor};

/// What the solvers say about a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Every solver discharged every obligation, or the states are closed.
    Holds(Of),
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

/// What a certificate was shown to be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// The program that was named, and what was assumed of it.
    Program(Assumptions),
    /// The transition system in it, of which no program was compared.
    System,
}

impl Checked {
    /// The exit code of the process.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Holds(_) => 0,
            Self::Refuted { .. } => 6,
            Self::Unknown { .. } => 5,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds(Of::Program(assumptions)) => write!(f, "CERTIFICATE: HOLDS{assumptions}"),
            Self::Holds(Of::System) => {
                write!(
                    f,
                    "CERTIFICATE: HOLDS (of its system; name the program to compare)"
                )
            }
            Self::Refuted { by } => write!(f, "CERTIFICATE: REFUTED ({by})"),
            Self::Unknown { reason } => write!(f, "CERTIFICATE: UNKNOWN ({reason})"),
        }
    }
}

/// Checks a certificate; gives a line for each obligation, and the result.
///
/// # Errors
/// The file is no certificate, the program cannot be read as it says, or no solver is there that reads it.
pub fn check(options: &CheckOptions) -> Result<(Vec<String>, Checked), Failure> {
    let text = head::text_of(&options.file).map_err(unusable)?;
    match text.lines().next() {
        Some(states::TITLE) => check_states(options, &text),
        Some(event_orders::TITLE) => check_event_orders(options, &text),
        Some(_) | None => check_proof(options, &text),
    }
}

/// When to stop, early enough to say so before the limit ends the process.
fn deadline(options: &CheckOptions) -> Instant {
    Instant::now() + (options.timeout - supervisor::grace(options.timeout))
}

fn unusable(error: CertifyError) -> Failure {
    Failure::Input(error.to_string())
}

fn check_proof(options: &CheckOptions, text: &str) -> Result<(Vec<String>, Checked), Failure> {
    let refused = |malformed: Malformed| unusable(malformed.in_file(&options.file));
    let certificate = Certificate::parse(text).map_err(refused)?;
    let solvers = solvers(options)?;
    let deadline = deadline(options);
    let compared = match options.program.is_empty() {
        true => Ok(Of::System),
        false => compare(options, &certificate)?,
    };
    match compared {
        Ok(of) => discharge(options, &[certificate], (&solvers, deadline), of),
        Err(by) => Ok((Vec::new(), Checked::Refuted { by })),
    }
}

/// Asks all solvers about all obligations.
fn discharge(
    options: &CheckOptions,
    certificates: &[Certificate],
    (solvers, deadline): (&[SolverCommand], Instant),
    of: Of,
) -> Result<(Vec<String>, Checked), Failure> {
    let mut lines = Vec::new();
    let mut checked = Checked::Holds(of);
    for certificate in certificates {
        for obligation in certificate.obligations() {
            let mut answers = Vec::new();
            for solver in solvers {
                let solver = SolverCommand {
                    time_limit: deadline.saturating_duration_since(Instant::now()),
                    ..solver.clone()
                };
                let (answer, result) = ask(certificate, &obligation, &solver, options)?;
                answers.push(format!("{answer} ({})", solver.program));
                checked = result.map_or(checked.clone(), |result| worse(checked, result));
            }
            let Obligation { name, meaning, .. } = obligation;
            lines.push(format!("{name}: {meaning}: {}", answers.join(", ")));
        }
    }
    Ok((lines, checked))
}

/// Whether a certificate is about a program; if not, why.
fn compare(
    options: &CheckOptions,
    certificate: &Certificate,
) -> Result<Result<Of, String>, Failure> {
    let subject = certificate.subject().ok_or_else(|| {
        Failure::Input(format!(
            "`{}` does not say which program it is about: write it anew with `verify --certificate`",
            text::path(&options.file)
        ))
    })?;
    let representatives = certificate.families().first();
    let representatives = representatives.map_or(REPRESENTATIVES, Vec::len);
    let task = prepare_for(&read_as(options, subject)?, representatives)?;
    if task.subject()?.digest != subject.digest {
        return Ok(Err(another()));
    }
    let encoded = task.encoded();
    if encoded.encoding.families.as_deref() != Some(certificate.families()) {
        return Ok(Err("it is about other numbers of threads".to_owned()));
    }
    let mut counts = certificate.counts().iter();
    if counts.any(|count| counts_returned(&encoded.encoding, count)) {
        return Ok(Err("it counts threads that have returned".to_owned()));
    }
    Ok(match certificate.is_about(&encoded.encoding.system) {
        Ok(()) => Ok(Of::Program(task.assumptions.clone())),
        Err(difference) => Err(format!("it is about another system: {difference}")),
    })
}

/// How to read the program that a certificate is said to be about.
fn read_as(options: &CheckOptions, subject: &Subject) -> Result<ProgramOptions, Failure> {
    let trust = options.trust_instrumentation;
    let arguments = options.compiler_arguments();
    subject::options(subject, &options.program, arguments, trust)
}

/// Why what a few threads do that stand for any number is no proof. Only an invariant is one that is about less than all of them at a time.
fn of_few_threads() -> String {
    "it is about a few threads that stand for any number".to_owned()
}

fn another() -> String {
    "it is about a program with other bitcode".to_owned()
}

/// The program, of which a part of the proof is.
fn needed(options: &CheckOptions, what: &str) -> Result<(), Failure> {
    match options.program.is_empty() {
        true => Err(Failure::Usage(format!(
            "`{}` has the {what} of a program, so that the program is needed to check it: name it, too",
            text::path(&options.file)
        ))),
        false => Ok(()),
    }
}

fn check_event_orders(
    options: &CheckOptions,
    text: &str,
) -> Result<(Vec<String>, Checked), Failure> {
    let refused = |malformed: Malformed| unusable(malformed.in_file(&options.file));
    let file = event_orders::parse(text).map_err(refused)?;
    needed(options, "events")?;
    let solvers = solvers(options)?;
    let deadline = deadline(options);
    let task = prepare(&read_as(options, &file.subject)?)?;
    let refuted = |by: String| Ok((Vec::new(), Checked::Refuted { by }));
    if !task.program.families.is_empty() {
        return refuted(of_few_threads());
    }
    if task.subject()?.digest != file.subject.digest {
        return refuted(another());
    }
    let left = deadline.saturating_duration_since(Instant::now());
    let budget = Budget::unlimited().with_time(left);
    let refutations = match engines::eventgraph::refutations(&task, &file.claim, &budget) {
        Ok(refutations) => refutations,
        Err(ClaimError::Unusable(why)) => return refuted(format!("the unwinding: {why}")),
        Err(ClaimError::Stopped(_)) => {
            let reason = "the formulas were not made in time; --timeout raises it".into();
            return Ok((Vec::new(), Checked::Unknown { reason }));
        }
    };
    let mut cycles = 0;
    for refutation in &refutations {
        for literals in &refutation.excluded {
            match refutation.order.check(literals) {
                Ok(()) => cycles += 1,
                Err(CertifyError::Refuted { obligation }) => {
                    return refuted(format!("{obligation}: they have an order"));
                }
                Err(error) => {
                    let reason = error.to_string();
                    return Ok((Vec::new(), Checked::Unknown { reason }));
                }
            }
        }
    }
    let certificates = event_orders::certificates(&refutations)?;
    if let Some(line) = file.difference(&certificates)? {
        return refuted(format!(
            "line {line}: another formula follows from the program and the unwinding"
        ));
    }
    let of = Of::Program(task.assumptions.clone());
    let (lines, checked) = discharge(options, &certificates, (&solvers, deadline), of)?;
    let cycles = format!("cycles: the events of each of these {cycles} have no order: confirmed");
    Ok(([vec![cycles], lines].concat(), checked))
}

fn check_states(options: &CheckOptions, text: &str) -> Result<(Vec<String>, Checked), Failure> {
    let file = &options.file;
    let refused = |malformed: Malformed| unusable(malformed.in_file(file));
    let claim = states::parse(text).map_err(refused)?;
    needed(options, "states")?;
    let read = read_as(options, &claim.subject)?;
    let task = prepare(&read)?;
    if !task.program.families.is_empty() {
        let by = of_few_threads();
        return Ok((Vec::new(), Checked::Refuted { by }));
    }
    if task.subject()?.digest != claim.subject.digest {
        return Ok((Vec::new(), Checked::Refuted { by: another() }));
    }
    let program = task.searched(claim.scheduling);
    let deadline = deadline(options);
    let interrupted = || Instant::now() >= deadline;
    let confirmed = states::confirm(file, (program, &task.instances), claim, &interrupted)?;
    let of = Of::Program(task.assumptions.clone());
    Ok(match confirmed {
        Ok(number) => {
            let ends = match program.properties.contains(&Property::NoInfiniteRun) {
                true => ", none leads back to itself",
                false => "",
            };
            let line = format!(
                "states: the initial one is among these {number}, none violates anything, every successor is among them{ends}: \
                 confirmed"
            );
            (vec![line], Checked::Holds(of))
        }
        Err(NotInductive::Interrupted) => {
            let reason = "not all states were confirmed in time; --timeout raises it".into();
            (Vec::new(), Checked::Unknown { reason })
        }
        Err(error) => (
            Vec::new(),
            Checked::Refuted {
                by: format!("states: {error}"),
            },
        ),
    })
}

/// The first refutation counts, or else the first solver that gave up.
fn worse(known: Checked, new: Checked) -> Checked {
    match (&known, &new) {
        (Checked::Holds(_), _) | (Checked::Unknown { .. }, Checked::Refuted { .. }) => new,
        (Checked::Refuted { .. } | Checked::Unknown { .. }, _) => known,
    }
}

/// What a solver answers, and what that means unless the obligation is discharged.
fn ask(
    certificate: &Certificate,
    obligation: &Obligation,
    solver: &SolverCommand,
    options: &CheckOptions,
) -> Result<(&'static str, Option<Checked>), Failure> {
    let name = obligation.name;
    let program = &solver.program;
    match certificate.discharge_one(obligation, solver) {
        Ok(_) => Ok(("unsat", None)),
        Err(CertifyError::Refuted { .. }) => {
            let by = format!("{name} by {program}");
            Ok(("sat", Some(Checked::Refuted { by })))
        }
        Err(error @ CertifyError::Unknown { .. }) => {
            let reason = format!("{program}: {error}");
            Ok(("unknown", Some(Checked::Unknown { reason })))
        }
        Err(CertifyError::TimeLimit { .. }) => {
            let limit = with_remedy(&Reason::Time(options.timeout));
            let reason = format!("{program}: {name} was not discharged: {limit}");
            Ok(("unknown", Some(Checked::Unknown { reason })))
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
