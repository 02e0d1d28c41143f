//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};

use crate::engines::{Choice, Settings};
use crate::expected_verdict::ExpectedVerdict;
use crate::program_options::ProgramOptions;
use crate::supervisor::Limits;

/// How to verify which program.
#[derive(Clone, Debug, Parser)]
#[command(name = "verify", version, max_term_width = 100)]
pub struct Options {
    /// What is verified.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// How it is decided.
    #[command(flatten)]
    pub engines: EngineOptions,

    /// What is printed and stored.
    #[command(flatten)]
    pub output: OutputOptions,

    /// What it may use.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Say on standard error what is going on, twice for more, and show every access of a violating run.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// More arguments for clang, after `--`.
    #[arg(last = true, value_name = "CLANG-ARG")]
    pub more_clang_arguments: Vec<String>,

    /// What the task definition expects, if one is verified.
    #[arg(skip)]
    pub expected: Vec<ExpectedVerdict>,
}

/// What a command may use, the compilers, solvers and native runs included that it starts. At a limit they end with it.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitOptions {
    /// Time limit in seconds of wall-clock time; at the limit the result is unknown (exit code 5).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,

    /// Memory limit in MiB (resident sets, child processes included); at the limit the result is unknown (exit code 5).
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
}

/// Engines and solvers.
#[derive(Clone, Debug, Args)]
pub struct EngineOptions {
    /// The engine; `portfolio` runs all of them side by side.
    #[arg(long, value_enum, default_value_t = Choice::Portfolio)]
    pub engine: Choice,

    /// How engines and solvers are set.
    #[command(flatten)]
    pub settings: Settings,
}

/// Results beside the verdict.
#[derive(Clone, Debug, Args)]
pub struct OutputOptions {
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,

    /// Print the invariant of a proof: one lemma per line, over C variables and places of threads.
    #[arg(long)]
    pub invariant: bool,

    /// Write the schedule of a violation to this file.
    #[arg(long, value_name = "FILE")]
    pub schedule_out: Option<PathBuf>,

    /// Draw the event order graph of a violation to this SVG file: threads, what they do, and which write each read reads from.
    #[arg(long, value_name = "FILE")]
    pub trace_graph: Option<PathBuf>,

    /// Enforce this schedule on the natively running program instead of verifying it; see --schedule-out.
    ///
    /// The last line on standard output is then `REPLAY: CONFIRMED (...) at FILE:LINE` (exit code 10), `REPLAY: DIFFERS (...)` (6),
    /// `REPLAY: NOT ENFORCEABLE (...)` (7) or `REPLAY: UNKNOWN (...)` (5).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "invariant", "schedule_out", "trace_graph", "certificate", "engine"])]
    pub replay: Option<PathBuf>,

    /// Decide the program under every reduction, and show verdicts, sizes, queries, times and memory side by side.
    ///
    /// Limits of time and memory hold for each reduction; the whole ends after ten times --timeout and 10 s more, or at twice
    /// --memory and 512 MiB more.
    #[arg(long, conflicts_with_all = ["reduction", "invariant", "schedule_out", "trace_graph", "certificate", "replay"])]
    pub compare: bool,

    /// Write the certificate of a proof to this file; `verify check-certificate` checks it.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

impl LimitOptions {
    /// The limits of a command as a whole.
    pub fn within(&self) -> Limits {
        Limits {
            time: self.timeout,
            mebibytes: self.memory,
        }
    }

    /// The limits of a comparison of reductions: the program is read, and each reduction has the limits once to be decided and once to
    /// have its states counted. Short limits are for deciding only.
    pub fn of_comparison(&self) -> Limits {
        let time = |time: Duration| {
            time.saturating_mul(10)
                .saturating_add(Duration::from_secs(10))
        };
        let memory = |memory: u64| memory.saturating_mul(2).saturating_add(512);
        Limits {
            time: self.timeout.map(time),
            mebibytes: self.memory.map(memory),
        }
    }
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
