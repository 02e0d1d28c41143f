//! `verify --compare`: a program under every reduction, side by side.
//!
//! A separate process decides each reduction. So each reduction has its own limits, time and memory, and an engine that
//! ends late does not run beside the next reduction. Reachable states are counted in this process, on the reduced
//! programs.

mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

use clap::ValueEnum;
use explicit::explore::{Incompleteness, Scheduling, SearchLimits, SearchVerdict, for_each_state};
use frontend::input::Input;
use process::{Ended, StandardInput, StandardOutput, Surroundings};
use program::model::{Instances, Program};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use solver::QueryCounts;
use system::budget::Budget;

use crate::engines;
use crate::options::{Options, OutputOptions};
use crate::program_options::{ProgramOptions, ReductionChoice, name};
use crate::progress::Progress;
use crate::report::{EngineStatistics, Statistics, rounded};
use crate::task::{self, Source, conditions, external_locations};
use crate::verdict::{Assumptions, Failure, Verdict};
use crate::{arguments, bounds, refuse_contradictions, report};

/// How many states are counted.
const MOST_STATES: u64 = 1_000_000;

/// A program under every reduction.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What they say together.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What SAFE rests on beside the program.
    #[serde(flatten)]
    pub assumptions: Assumptions,
    /// What each says, from no reduction to most.
    pub reductions: Vec<Column>,
}

/// A program under one reduction. What is missing was not reached before a limit of time or memory.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// The name of the reduction.
    pub reduction: String,
    /// What is found out.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Whether a run was shown that a proof says there is not: into a violation, even an uncertain one, or into a limit.
    #[serde(skip)]
    pub refutes_proofs: bool,
    /// Locations where other threads may run, over all templates.
    pub external_locations: usize,
    /// Blocks of the encoding, over all thread instances.
    pub blocks: Option<usize>,
    /// Bits of the encoded state, before and after simplification.
    pub state_bits: Option<[usize; 2]>,
    /// States in which threads are scheduled or values chosen.
    pub reachable_states: StateCount,
    /// Solver queries of the engines that ended in time.
    pub queries: u64,
    /// Wall-clock time of everything, from reading the program to checking the evidence.
    pub seconds: f64,
    /// Largest resident set of the verifier, without clang and solvers that check proofs.
    pub peak_mebibytes: Option<u64>,
}

/// How many states there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateCount {
    /// So many.
    Exactly(u64),
    /// More: the search was given up.
    MoreThan(u64),
    /// So many or more: not all nondeterministic values were tried.
    AtLeast(u64),
}

/// What `verify --json` says of one reduction.
#[derive(Deserialize)]
struct Document {
    #[serde(flatten)]
    verdict: Verdict,
    trace: Option<IgnoredAny>,
    limits: Vec<String>,
    statistics: Statistics,
}

/// Decides a program under every reduction by processes of the binary `verifier`, and counts its states.
///
/// # Errors
/// The program cannot be used or is instrumented already; a process fails, or verdicts contradict each other.
pub fn compare(
    options: &Options,
    verifier: &Path,
    progress: &Progress,
) -> Result<Comparison, Failure> {
    refuse_contradictions(&options.engines)?;
    let input = task::input(&options.program)?;
    let source = read(&input, &options.program)?;
    let mut decided = Vec::new();
    for &reduction in ReductionChoice::value_variants() {
        let decide = || decide(verifier, options, reduction, &input);
        decided.push((reduction, progress.aside(decide)?));
    }
    let limits = limits(options);
    let mut columns = Vec::new();
    for (reduction, (document, seconds)) in decided {
        progress.stage(format!("counting states, {}", name(&reduction)));
        let under = under(&options.program, reduction);
        let kinds = conditions(&under)?;
        let reduced = source.reduced(reduction.into(), &kinds);
        let states = count(&reduced, &source.instances, &limits);
        let external_locations = external_locations(&reduced);
        let column = Column {
            external_locations,
            ..document.column(name(&reduction), states, seconds)
        };
        columns.push(column);
    }
    let verdict = match (join(&columns)?, options.program.open().first()) {
        (Verdict::Safe, Some(open)) => open.verdict.clone(),
        (verdict, _) => verdict,
    };
    Ok(Comparison {
        verdict,
        assumptions: Assumptions {
            fair: options.program.is_fair(),
            ..source.assumptions()
        },
        reductions: columns,
    })
}

fn read(input: &Input, options: &ProgramOptions) -> Result<Source, Failure> {
    let loaded = task::read(input, options)?;
    if let Some(planned) = &loaded.instrumentation {
        return Err(Failure::Usage(format!(
            "`{}` is instrumented already (--reduction {}), and --compare needs the program as it was before: \
             name the C file, or the bitcode that `instrument` was given",
            input.name(),
            planned.reduction
        )));
    }
    let bounds = bounds::of(options, &loaded)?;
    Ok(Source::new(loaded, bounds))
}

/// The options with a reduction, with the choice of conditions only if it has some, and without properties that are not supported.
fn under(options: &ProgramOptions, reduction: ReductionChoice) -> ProgramOptions {
    let mut under = options.clone();
    under.reduction = reduction;
    if reduction != ReductionChoice::Dynamic {
        under.dynamic.clear();
    }
    under
        .properties
        .retain(|property| property.supported().is_some());
    under
}

/// What a process says of one reduction, and how many seconds it took.
fn decide(
    verifier: &Path,
    options: &Options,
    reduction: ReductionChoice,
    input: &Input,
) -> Result<(Document, f64), Failure> {
    let options = Options {
        program: under(&options.program, reduction),
        output: OutputOptions {
            json: true,
            ..options.output.clone()
        },
        ..options.clone()
    };
    let start = Instant::now();
    let failed = |cause: &dyn std::fmt::Display| {
        let reduction = name(&reduction);
        Failure::Internal(format!("no verdict with --reduction {reduction}: {cause}"))
    };
    let output = run(verifier, &options, input).map_err(|error| failed(&error))?;
    let document = serde_json::from_slice(&output.stdout)
        .map_err(|error| failed(&format!("{}, {error}", output.status)))?;
    Ok((document, rounded(start.elapsed())))
}

/// Runs the verifier, which keeps its limits itself; what it has to say beside its result goes where this process says such things.
fn run(verifier: &Path, options: &Options, input: &Input) -> io::Result<Output> {
    let mut command = Command::new(verifier);
    command.args(arguments::of(options));
    let bytes = match input {
        Input::Bitcode { bytes, .. } => bytes.as_slice(),
        Input::Files { .. } => &[],
    };
    let surroundings = Surroundings {
        input: StandardInput::Bytes(bytes),
        output: StandardOutput::Captured,
        ..Surroundings::default()
    };
    match process::run(&command, &surroundings)? {
        Ended::Exited(output) => Ok(output),
        Ended::Deadline => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// How far states are counted: the limits of the options on time and memory hold here, too.
fn limits(options: &Options) -> SearchLimits {
    let unlimited = Budget::unlimited();
    let budget = match options.limits.timeout {
        Some(time) => unlimited.with_time(time),
        None => unlimited,
    };
    SearchLimits {
        states: MOST_STATES,
        budget,
        memory: engines::explicit::share(
            options.engines.engine.only().is_some(),
            options.limits.memory,
        ),
        scheduling: Scheduling::External,
        ..SearchLimits::default()
    }
}

/// Counts the states of a reduced program.
fn count(program: &Program, instances: &Instances, limits: &SearchLimits) -> StateCount {
    let exploration = for_each_state(program, instances, limits, &mut |_| {});
    let is_sampled = |reason: &Incompleteness| matches!(reason, Incompleteness::Sampled { .. });
    match exploration.verdict {
        SearchVerdict::Unknown(reasons) if reasons.iter().any(Incompleteness::ends_search) => {
            StateCount::MoreThan(exploration.states.min(limits.states))
        }
        SearchVerdict::Unknown(reasons) if reasons.iter().any(is_sampled) => {
            StateCount::AtLeast(exploration.states)
        }
        SearchVerdict::Unknown(_) | SearchVerdict::Safe(()) | SearchVerdict::Unsafe(_) => {
            StateCount::Exactly(exploration.states)
        }
    }
}

impl Document {
    fn column(self, reduction: String, reachable_states: StateCount, seconds: f64) -> Column {
        let Statistics {
            external_locations,
            blocks,
            state_bits,
            peak_mebibytes,
            engines,
            ..
        } = self.statistics;
        Column {
            reduction,
            refutes_proofs: self.trace.is_some() || !self.limits.is_empty(),
            verdict: self.verdict,
            external_locations,
            blocks,
            state_bits,
            reachable_states,
            queries: engines.iter().map(queries).sum(),
            seconds,
            peak_mebibytes,
        }
    }
}

fn queries(engine: &EngineStatistics) -> u64 {
    let all = engine.queries.iter().flat_map(BTreeMap::values);
    all.map(QueryCounts::count).sum()
}

/// The verdict of those that have one.
///
/// # Errors
/// One has proved what another one has refuted.
fn join(columns: &[Column]) -> Result<Verdict, Failure> {
    let proof = columns
        .iter()
        .find(|column| column.verdict == Verdict::Safe);
    let refutation = columns.iter().find(|column| column.refutes_proofs);
    if let (Some(proof), Some(refutation)) = (proof, refutation) {
        let claims = [proof, refutation].map(Column::claim).join(", but ");
        return Err(Failure::Internal(format!("reductions disagree: {claims}")));
    }
    let mut verdicts = columns.iter().map(|column| &column.verdict);
    let conclusive = verdicts.find(|verdict| verdict.is_conclusive());
    Ok(conclusive.map_or_else(|| undecided(columns), Verdict::clone))
}

/// Why no reduction leads to a verdict; once if it is the same for all.
fn undecided(columns: &[Column]) -> Verdict {
    match columns {
        [first, others @ ..] if others.iter().all(|other| other.verdict == first.verdict) => {
            first.verdict.clone()
        }
        _ => {
            let claims: Vec<String> = columns.iter().map(Column::claim).collect();
            Verdict::unknown(claims.join("; "))
        }
    }
}

impl Column {
    fn claim(&self) -> String {
        format!("{}: {}", self.reduction, self.verdict.words())
    }
}

impl Comparison {
    /// What was not done within the limits of the whole.
    pub fn stopped(limit: String) -> Self {
        Self {
            verdict: Verdict::unknown(limit),
            assumptions: Assumptions::default(),
            reductions: Vec::new(),
        }
    }

    /// The JSON document, with a final newline.
    pub fn to_json(&self) -> String {
        report::document(self)
    }
}
