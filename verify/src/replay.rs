//! `verify --replay`: a counterexample's schedule on the natively running program.
//!
//! A schedule counts statements, which a native run cannot. So the interpreter follows the schedule first. This yields
//! the `turns` that the threads take from one external location to the next. The instrumented program is linked with
//! the runtime ([`crate::native`]), which gives its threads these turns. Only the runtime's report on the end of the
//! run is compared with the expected end.

mod turns;

use std::collections::BTreeSet;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use abi::ids::InstanceId;
use abi::native::{REPLAY_VARIABLE, REPORT_VARIABLE, SECRET_BYTES, VIOLATED, reported};
use abi::schedule::{ParseError, Schedule};
use abi::text::{lines, lossy};
use frontend::Loaded;
use frontend::native::{name_accesses, name_allocations, name_inputs, report_aborts};
use instrument::{Plan, Reduction};
use program::model::{Property, Site};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};
use rustix::process::Signal;
use rustix::rand::GetRandomFlags;

use self::turns::{Enforced, Marked, Planned, follow};
use crate::native::{Executable, Memory, SANITIZER, instrumented};
use crate::program_options::ProgramOptions;
use crate::task;
use crate::verdict::Failure;

/// What came of a native run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// It violated the property where the schedule does.
    Confirmed {
        /// What is violated.
        property: String,
        /// `file:line` of the violation.
        place: String,
    },
    /// It did something else, and the schedule has what a machine cannot be made to do.
    NotEnforceable {
        /// The first such choice, with its place, or what the machine goes on behind.
        what: String,
    },
    /// It did something else.
    Differs {
        /// What.
        how: String,
    },
    /// A limit came first.
    Unknown {
        /// Which.
        reason: String,
    },
}

impl Replayed {
    fn differs(how: impl Into<String>) -> Self {
        Self::Differs { how: how.into() }
    }

    /// The exit code of the process: that of the verdict, of evidence that fails, or of no result; and one of its own.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Confirmed { .. } => 10,
            Self::NotEnforceable { .. } => 7,
            Self::Differs { .. } => 6,
            Self::Unknown { .. } => 5,
        }
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confirmed { property, place } => {
                write!(f, "REPLAY: CONFIRMED ({property}) at {place}")
            }
            Self::NotEnforceable { what } => write!(f, "REPLAY: NOT ENFORCEABLE ({what})"),
            Self::Differs { how } => write!(f, "REPLAY: DIFFERS ({how})"),
            Self::Unknown { reason } => write!(f, "REPLAY: UNKNOWN ({reason})"),
        }
    }
}

/// How long a native run may take; an input of the program could make it loop where the interpreter does not.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a program natively by a schedule.
///
/// # Errors
/// Program or schedule cannot be used, or do not belong together; the executable cannot be built.
pub fn replay(options: &ProgramOptions, schedule: &Path) -> Result<Replayed, Failure> {
    let schedule = read(schedule)?;
    if schedule.repeats_from.is_some() {
        return Ok(Replayed::NotEnforceable {
            what: "a run that goes on for ever".to_owned(),
        });
    }
    let (loaded, bounds) = task::load_believed(options)?;
    let (marked, plan) = mark(&loaded, &bounds, options.verified());
    let enforced = Enforced {
        inputs: name_inputs(&loaded),
        allocations: name_allocations(&loaded),
    };
    if loaded.options.abort_is_error {
        report_aborts(&loaded);
    }
    let planned = follow(&marked, &schedule, &enforced)?;
    if let Some(site) = name_accesses(&loaded, &planned.races()) {
        let Site { file, line, .. } = &marked.program.sites[site];
        return Ok(Replayed::NotEnforceable {
            what: format!("an access by a function of the library, {file}:{line}"),
        });
    }
    let bitcode = match &plan {
        Some(plan) => instrumented(&loaded, plan)?,
        None => loaded.module().to_bitcode(),
    };
    let memory = match planned.is_of_memory() {
        true => Memory::Watched,
        false => Memory::Unwatched,
    };
    let executable = Executable::build(loaded.program.data_model, &bitcode, memory)?;
    let turns = executable.store("turns", planned.turns.to_string().as_bytes())?;
    let secret = secret()?;
    let mut command = Command::new(executable.path());
    command
        .env(REPLAY_VARIABLE, turns)
        .env(SANITIZER.0, SANITIZER.1)
        .env(REPORT_VARIABLE, "1");
    let ended = executable.run_within(&command, &secret, LIMIT)?;
    Ok(judge(ended.as_ref(), &secret, &planned))
}

/// A program with its external locations, and the plan that has them; none if the bitcode says where they are. Otherwise they are before all
/// visible statements, so that every order of statements can be enforced.
fn mark(
    loaded: &Loaded,
    bounds: &Bounds,
    properties: BTreeSet<Property>,
) -> (Marked, Option<Plan>) {
    let looks_for_races = properties.contains(&Property::NoDataRace);
    let mut source = loaded.program.clone();
    source.verify(properties);
    let mut instances = instantiate(&source, bounds);
    let points_to = PointsTo::analyse(&source, &instances);
    let plan = loaded
        .instrumentation
        .is_none()
        .then(|| instrument::plan(&source, &instances, &points_to, Reduction::None));
    let mut program = source.clone();
    if looks_for_races {
        instrument::look_for_races(&mut program, &instances, &points_to);
        instances = instantiate(&program, bounds);
    }
    if let Some(plan) = &plan {
        plan.apply(&mut program);
    }
    let marked = Marked {
        program,
        source,
        instances,
    };
    (marked, plan)
}

/// What only the runtime is told, so that the program cannot speak in its place.
fn secret() -> Result<[u8; SECRET_BYTES], Failure> {
    let mut secret = [0; SECRET_BYTES];
    let filled = rustix::rand::getrandom(&mut secret, GetRandomFlags::empty());
    match filled {
        Ok(SECRET_BYTES) => Ok(secret),
        Ok(_) | Err(_) => Err(Failure::Internal("there are no random numbers".into())),
    }
}

fn read(file: &Path) -> Result<Schedule, Failure> {
    let unusable = |cause: &dyn fmt::Display| {
        Failure::Input(format!(
            "cannot read the schedule `{}`: {cause}; `verify --schedule-out` writes one",
            abi::text::path(file)
        ))
    };
    let text = std::fs::read_to_string(file).map_err(|error| unusable(&error))?;
    text.parse().map_err(|error: ParseError| unusable(&error))
}

/// Compares the end of a process, if it has ended, with the violation that was to be expected.
fn judge(ended: Option<&Output>, secret: &[u8; SECRET_BYTES], planned: &Planned) -> Replayed {
    let expected = &planned.place;
    let report = ended.map(|ended| (report(&ended.stdout, secret), is_aborted(ended)));
    let is_silent = |report: &str| !report.starts_with(VIOLATED);
    let other = match report {
        Some((report, _)) if planned.is_of_memory() && report.as_deref().is_none_or(is_silent) => {
            Replayed::NotEnforceable {
                what: "an invalid use of memory that AddressSanitizer does not notice".into(),
            }
        }
        None => Replayed::Unknown {
            reason: format!("the native run does not end within {} s", LIMIT.as_secs()),
        },
        Some((None, _)) => Replayed::differs("the native run ends without a violation"),
        Some((Some(report), is_aborted)) => match violation(&report, planned.turns.end) {
            Some(place) if is_aborted && is_same(place, expected) => {
                return Replayed::Confirmed {
                    property: planned.property.1.clone(),
                    place: expected.clone(),
                };
            }
            Some(_) if !is_aborted => {
                Replayed::differs("the native run goes on behind the violation")
            }
            Some(place) => {
                Replayed::differs(format!("the violation is at {place}, not at {expected}"))
            }
            None => Replayed::differs(format!(
                "the native run does not follow the schedule: {report}"
            )),
        },
    };
    match &planned.not_enforced {
        Some(what) => Replayed::NotEnforceable { what: what.clone() },
        None => other,
    }
}

/// Whether a process ended itself by `abort`.
fn is_aborted(ended: &Output) -> bool {
    ended.status.signal() == Some(Signal::ABORT.as_raw())
}

/// The last that the runtime said over its channel.
fn report(output: &[u8], secret: &[u8; SECRET_BYTES]) -> Option<String> {
    let output = lines(output);
    let mut lines = output.lines().rev();
    lines
        .find_map(|line| reported(secret, line))
        .map(str::to_owned)
}

/// Where a thread violated the property.
fn violation(report: &str, thread: InstanceId) -> Option<&str> {
    let report = report.strip_prefix(VIOLATED)?;
    report.strip_prefix(&format!("{thread} at "))
}

/// Whether a place, whose file may be named with its directory, is the expected one. The library that reads debug information
/// natively gives text, whatever bytes a name consists of.
fn is_same(place: &str, expected: &str) -> bool {
    Path::new(place).ends_with(lossy(expected).trim_start_matches("./"))
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use abi::native::report_line;
    use abi::turns::Turns;

    use super::*;

    const SECRET: [u8; SECRET_BYTES] = [7; SECRET_BYTES];

    /// The end of a process whose runtime said this.
    fn said(text: &str) -> Output {
        ended(&report_line(&SECRET, &text), aborted())
    }

    fn ended(output: &str, status: ExitStatus) -> Output {
        Output {
            status,
            stdout: output.as_bytes().to_vec(),
            stderr: Vec::new(),
        }
    }

    fn aborted() -> ExitStatus {
        ExitStatus::from_raw(Signal::ABORT.as_raw())
    }

    fn planned() -> Planned {
        Planned {
            turns: Turns {
                turns: Vec::new(),
                end: InstanceId(1),
            },
            property: (Property::UnreachCall, "assertion".into()),
            place: "a/b.c:7".into(),
            not_enforced: None,
        }
    }

    fn is_confirmed(ended: &Output) -> bool {
        let judged = judge(Some(ended), &SECRET, &planned());
        matches!(judged, Replayed::Confirmed { .. })
    }

    #[test]
    fn only_the_expected_thread_and_line_confirm() {
        assert!(is_confirmed(&said("violated by t1 at /x/a/b.c:7")));
        assert!(is_confirmed(&said("violated by t1 at a/b.c:7")));
        for other in [
            "violated by t0 at a/b.c:7",
            "violated by t1 at a/b.c:71",
            "violated by t1 at a/bb.c:7",
            "violated by t1 at xa/b.c:7",
            "violated by t1",
            "not violated by t1 at a/b.c:7",
            "",
        ] {
            assert!(!is_confirmed(&said(other)), "{other}");
        }
        let text = judge(Some(&said("after turn 3: no")), &SECRET, &planned()).to_string();
        assert_eq!(
            text,
            "REPLAY: DIFFERS (the native run does not follow the schedule: after turn 3: no)"
        );
    }

    #[test]
    fn nobody_but_the_runtime_confirms() {
        let text = "violated by t1 at a/b.c:7";
        for output in [
            format!("{text}\n"),
            format!("mazurka: {text}\n"),
            report_line(&[8; SECRET_BYTES], &text),
            format!(" {}", report_line(&SECRET, &text)),
        ] {
            assert!(!is_confirmed(&ended(&output, aborted())), "{output}");
        }
        let report = report_line(&SECRET, &text);
        assert!(!is_confirmed(&ended(&report, ExitStatus::from_raw(0))));
    }
}
