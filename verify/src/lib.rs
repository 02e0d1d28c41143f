//! The verifier: from C or bitcode to a verdict that carries its evidence.
//!
//! [`pipeline::prepare`] turns the input into a transition system, [`decide::decide`] runs the engines on it side by
//! side, [`evidence`] replays or certifies what they say, and [`report`] prints the result. [`watch`] keeps the limits.

mod bounds;
pub mod decide;
pub mod evidence;
pub mod explicit;
pub mod options;
pub mod pipeline;
pub mod report;
pub mod trace;
pub mod verdict;
pub mod watch;

use certify::SolverCommand;

use crate::decide::{Answer, Decision, decide};
use crate::evidence::Evidence;
use crate::options::Options;
use crate::pipeline::{Prepared, prepare};
use crate::report::{Report, Statistics};
use crate::verdict::{Failure, Verdict};

/// Verifies what the options say, and keeps their time and memory limits as well as the engines do.
pub fn run(options: &Options) -> Result<Report, Failure> {
    let budget = budget(options);
    let prepared = prepare(options)?;
    let decision = decide(&prepared, options, &budget);
    let evidence = judge(&prepared, &decision, &checker(options, &budget))?;
    if let (Some(file), Some((_, schedule))) = (&options.schedule_out, &evidence.run) {
        std::fs::write(file, schedule.to_string()).map_err(|error| {
            Failure::Usage(format!(
                "cannot write the schedule to {}: {error}",
                file.display()
            ))
        })?;
    }
    Ok(report(&prepared, decision, evidence))
}

fn budget(options: &Options) -> ic3::Budget {
    let mut budget = ic3::Budget::unlimited();
    if let Some(time) = options.timeout {
        budget = budget.with_time(time.saturating_sub(watch::GRACE));
    }
    if let Some(mebibytes) = options.memory {
        budget = budget.with_memory(mebibytes);
    }
    budget
}

/// The solver that checks proofs; it has what time is left.
fn checker(options: &Options, budget: &ic3::Budget) -> SolverCommand {
    let mut command = SolverCommand::default();
    if let Some(limit) = options.timeout {
        let left = limit.saturating_sub(budget.elapsed());
        command.time_limit = command.time_limit.min(left);
    }
    command
}

/// Turns the engines' answer into a verdict with evidence.
fn judge(
    prepared: &Prepared,
    decision: &Decision,
    checker: &SolverCommand,
) -> Result<Evidence, Failure> {
    match &decision.answer {
        Answer::Trace(trace) => evidence::violated(prepared, evidence::follow(prepared, trace)?),
        Answer::Schedule(schedule) => evidence::violated(prepared, schedule.clone()),
        Answer::Proved { system, proof } => evidence::proved(prepared, system, proof, checker),
        Answer::Explored(explored) => evidence::explored(prepared, explored),
        Answer::Beyond(limits) => evidence::beyond(prepared, limits),
        Answer::Contradiction(claims) => {
            Err(Failure::Internal(format!("engines disagree: {claims}")))
        }
        Answer::Undecided(reason) => Ok(Evidence {
            verdict: Verdict::unknown(reason.clone()),
            text: None,
            run: None,
        }),
    }
}

fn report(prepared: &Prepared, decision: Decision, evidence: Evidence) -> Report {
    let places = |site| prepared.place(site);
    let unsupported = prepared.program.unsupported.values();
    let approximations = prepared.encoding.approximations.iter();
    Report {
        verdict: evidence.verdict,
        evidence: evidence.text,
        trace: evidence.run.map(|(trace, _)| trace),
        unsupported: unsupported
            .map(|construct| format!("{} at {}", construct.what, places(construct.site)))
            .collect(),
        approximations: approximations
            .map(|found| format!("{} at {}", found.what, places(found.at)))
            .collect(),
        statistics: Statistics {
            threads: prepared.instances.threads.len(),
            objects: prepared.instances.objects.len(),
            external_locations: prepared.external_locations,
            blocks: prepared.encoding.statistics.blocks,
            state_bits: prepared.state_bits(),
            preparation_seconds: prepared.seconds,
            engine: decision.engine,
            engines: decision.statistics,
        },
    }
}
