//! One run of `verify`, in a process of its own.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::time::Instant;

use ::tests::Expected;
use anyhow::Context;
use wait4::Wait4;

/// Seconds after its time limit at which a process that ignores it is killed.
const GRACE: u64 = 5;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No violation.
    Safe,
    /// A violation.
    Unsafe,
    /// Neither, within the limits.
    Unknown,
    /// Killed, because it did not keep its time limit.
    Killed,
    /// No verdict at all: an internal error, a crash, or an input that was not accepted.
    Failed(String),
}

impl Outcome {
    fn of(status: ExitStatus) -> Self {
        match status.code() {
            Some(0) => Self::Safe,
            Some(10) => Self::Unsafe,
            Some(5) => Self::Unknown,
            Some(KILLED) => Self::Killed,
            None if status.signal() == Some(SIGKILL) => Self::Killed,
            Some(_) | None => Self::Failed(status.to_string()),
        }
    }

    /// Whether there is a verdict.
    pub fn is_decided(&self) -> bool {
        matches!(self, Self::Safe | Self::Unsafe)
    }

    /// Whether this is the opposite of the expected verdict, or none for another reason than a limit.
    pub fn is_wrong(&self, expected: Expected) -> bool {
        match self {
            Self::Safe => expected != Expected::Safe,
            Self::Unsafe => expected != Expected::Unsafe,
            Self::Unknown | Self::Killed => false,
            Self::Failed(_) => true,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Safe => f.write_str("safe"),
            Self::Unsafe => f.write_str("unsafe"),
            Self::Unknown => f.write_str("unknown"),
            Self::Killed => f.write_str("killed"),
            Self::Failed(status) => write!(f, "failed ({status})"),
        }
    }
}

/// Reads what is displayed.
impl FromStr for Outcome {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let failed = text
            .strip_prefix("failed (")
            .and_then(|rest| rest.strip_suffix(')'));
        Ok(match text {
            "safe" => Self::Safe,
            "unsafe" => Self::Unsafe,
            "unknown" => Self::Unknown,
            "killed" => Self::Killed,
            _ => Self::Failed(
                failed
                    .with_context(|| format!("`{text}` is no outcome of a run"))?
                    .to_owned(),
            ),
        })
    }
}

/// What `timeout` returns when it has killed.
const KILLED: i32 = 137;
const SIGKILL: i32 = 9;

/// A run and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Wall-clock time.
    pub seconds: f64,
    /// Largest resident set of a process of the run (`verify`, clang, or the solver that checks a proof).
    pub peak_mebibytes: f64,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:.2} s", self.outcome, self.seconds)
    }
}

/// Runs one binary under the same limits.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The binary `verify`.
    pub verify: PathBuf,
    /// Limit on the wall-clock time of a run.
    pub seconds: u64,
    /// Limit on the resident set of a run.
    pub mebibytes: u64,
}

impl Runner {
    /// All arguments of `verify`: the program, its options, and the limits.
    pub fn arguments(&self, program: &Path, options: &[String]) -> Vec<String> {
        let limits = [
            format!("--timeout={}", self.seconds),
            format!("--memory={}", self.mebibytes),
        ];
        let program = program.to_string_lossy().into_owned();
        [&[program], options, &limits].concat()
    }

    /// Decides a program. `timeout` of coreutils kills what does not stop by itself, with all processes that it started.
    pub fn run(&self, program: &Path, options: &[String]) -> anyhow::Result<Run> {
        let mut command = Command::new("timeout");
        command
            .arg("--signal=KILL")
            .arg((self.seconds + GRACE).to_string())
            .arg(&self.verify)
            .args(self.arguments(program, options))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command
            .spawn()
            .context("cannot run `timeout` of coreutils")?;
        let used = child.wait4().context("cannot wait for a process")?;
        Ok(Run {
            outcome: Outcome::of(used.status),
            seconds: start.elapsed().as_secs_f64(),
            peak_mebibytes: used.rusage.maxrss as f64 / f64::from(1 << 20),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_displayed_can_be_read() {
        let failed = Outcome::Failed("exit status: 6".to_owned());
        for outcome in [
            Outcome::Safe,
            Outcome::Unsafe,
            Outcome::Unknown,
            Outcome::Killed,
            failed,
        ] {
            let read: Outcome = outcome.to_string().parse().expect("it is displayed so");
            assert_eq!(read, outcome);
        }
        assert!("perhaps".parse::<Outcome>().is_err());
    }
}
