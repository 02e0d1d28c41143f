//! The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, ValueEnum};
use frontend::ReadOptions;
use instrument::ConditionKind;
use program::model::Property;
use program::threads::Bounds;

use crate::engines::Choice;
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

    /// Say on standard error what is going on; twice for more.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
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

/// A program, and how far it is followed.
#[derive(Clone, Debug, Args)]
pub struct ProgramOptions {
    /// C source (.c, .i), LLVM bitcode (.bc) or assembly (.ll); `-` or nothing reads bitcode from standard input.
    pub file: Option<PathBuf>,

    /// The Lipton reduction of the interleavings. Bitcode that is instrumented already keeps its own.
    #[arg(long, value_enum, default_value_t = ReductionChoice::Static)]
    pub reduction: ReductionChoice,

    /// What conditions of `--reduction dynamic` may look at: `reachability`, `pointer`, `cas`, `lock`, separated by commas; all by
    /// default.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub dynamic: Vec<ConditionKind>,

    /// How often a thread that is created in a loop is started at most (default 3, or what the bitcode is instrumented for).
    #[arg(long, value_name = "N", value_parser = within(Bounds::THREADS))]
    pub threads: Option<u32>,

    /// How many heap objects an allocation in a loop makes at most (default 5, or what the bitcode is instrumented for).
    #[arg(long, value_name = "N", value_parser = within(Bounds::HEAP))]
    pub heap: Option<u32>,

    /// How deep a recursive function is called at most (default 8, or what the bitcode is instrumented for).
    #[arg(long, value_name = "N", value_parser = within(ReadOptions::RECURSION))]
    pub recursion: Option<u32>,

    /// What is verified, by SV-COMP's names; may be repeated. With several, each has a line of its own before the verdict, which is
    /// the worst of theirs.
    #[arg(long = "property", value_name = "NAME", default_values_t = [Property::UnreachCall])]
    pub properties: Vec<Property>,

    /// `abort` and `exit` with another status than 0 violate the property.
    #[arg(long)]
    pub abort_is_error: bool,

    /// How many parts a variable may have, and how many addresses an access, for the symbolic engines to follow it.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub cells: u32,

    /// Do not plan instrumented bitcode anew, but believe its yields: for bitcode whose yields were edited on purpose.
    ///
    /// SAFE then says `VERDICT: SAFE (instrumentation trusted)`.
    #[arg(long)]
    pub trust_instrumentation: bool,

    /// An argument for clang, such as -DN=3 or -O2; may be repeated.
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arguments: Vec<String>,
}

/// Engines and solvers.
#[derive(Clone, Debug, Args)]
pub struct EngineOptions {
    /// The engine; `portfolio` runs all of them side by side.
    #[arg(long, value_enum, default_value_t = Choice::Portfolio)]
    pub engine: Choice,

    /// The solver below the symbolic engines.
    #[arg(long, value_enum, default_value_t = SolverChoice::Cadical)]
    pub solver: SolverChoice,

    /// How many transitions bmc and kind unroll at most.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// The predicates that the engine ic3 starts with (default affine; ic3-exact has exact).
    #[arg(long, value_enum)]
    pub predicates: Option<PredicateChoice>,

    /// How many steps of a path may be spurious before the engines ic3 and ic3-exact refine their predicates.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_spurious: usize,
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

    /// Enforce this schedule on the natively running program instead of verifying it; see --schedule-out.
    ///
    /// The last line on standard output is then `REPLAY: CONFIRMED (...) at FILE:LINE` (exit code 10), `REPLAY: DIFFERS (...)` (6),
    /// `REPLAY: NOT ENFORCEABLE (...)` (7) or `REPLAY: UNKNOWN (...)` (5).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "invariant", "schedule_out", "certificate", "engine"])]
    pub replay: Option<PathBuf>,

    /// Decide the program under every reduction, and show verdicts, sizes, queries, times and memory side by side.
    ///
    /// Limits of time and memory hold for each reduction; the whole ends after ten times --timeout and 10 s more, or at twice
    /// --memory and 512 MiB more.
    #[arg(long, conflicts_with_all = ["reduction", "invariant", "schedule_out", "certificate", "replay"])]
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

/// Accepts numbers of a range.
fn within(range: RangeInclusive<u32>) -> RangedI64ValueParser<u32> {
    let (first, last) = range.into_inner();
    clap::value_parser!(u32).range(i64::from(first)..=i64::from(last))
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// What a choice is called on the command line.
pub(crate) fn name(choice: &impl ValueEnum) -> String {
    let value = choice.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The predicates that IC3 starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PredicateChoice {
    /// The comparisons of the program: places of threads, owners of locks, guards, assertions.
    Atoms,
    /// Those, and facts that an analysis proves first: affine equalities between variables, and what holds at places of threads.
    Affine,
    /// The comparisons, and every bit of the state, so that nothing is ever refined.
    Exact,
}

/// The reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReductionChoice {
    /// Other threads may run before every visible statement.
    None,
    /// Lipton reduction with movers and phases fixed per statement.
    Static,
    /// Lipton reduction with movers fixed per statement, and phases known at run time where they depend on the way.
    Phase,
    /// The same, and statements move once no other thread can get to a conflicting one any more.
    Dynamic,
}

/// The solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverChoice {
    /// Bit-blasting over CaDiCaL.
    Cadical,
    /// Z3.
    Z3,
}
