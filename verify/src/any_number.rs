//! Verification for any number of threads: a proof about threads that stand for all others, and violations with few threads, are looked
//! for side by side.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use program::model::Property;
use system::budget::Budget;

use crate::engines::Choice;
use crate::options::{EngineOptions, Options};
use crate::portfolio::no_thread;
use crate::program_options::ProgramOptions;
use crate::progress::Progress;
use crate::report::Report;
use crate::supervisor::STACK;
use crate::task::{Source, Task};
use crate::thread_bound::ThreadBound;
use crate::verdict::{Failure, Verdict};

/// Violations are looked for with so many threads of a kind at most.
const MOST: u32 = 3;

/// What a look at one thread of any number cannot tell.
const ABOUT_ALL: [Property; 3] = [
    Property::ValidMemtrack,
    Property::NoDataRace,
    Property::NoDeadlock,
];

/// The property that is violated, and the report.
type Outcome = Result<(Option<Property>, Report), Failure>;

/// Verifies the properties of `asked` for any number of threads until one is violated.
pub(crate) fn verify(
    source: &Source,
    asked: &ProgramOptions,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    let task = represented(source, asked)?;
    let (proving, refuting) = (budget.child(), budget.child());
    let prove = || {
        let outcome = match &task {
            Ok(task) => crate::verify(task, &by_threads(options), &proving, &Progress::hidden()),
            Err(reason) => Ok((None, Report::undecided(Verdict::unknown(reason.clone())))),
        };
        if is_conclusive(&outcome) {
            refuting.cancel();
        }
        outcome
    };
    let refute = || {
        let outcome = with_few(source, asked, options, &refuting, progress);
        if is_conclusive(&outcome) {
            proving.cancel();
        }
        outcome
    };
    let (proof, violation) = thread::scope(|scope| {
        let prover = thread::Builder::new().stack_size(STACK);
        let prover = prover
            .spawn_scoped(scope, prove)
            .map_err(|error| no_thread(&error))?;
        let violation = refute();
        match prover.join() {
            Ok(proof) => Ok((proof, violation)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    combined(proof?, violation?)
}

/// The task about threads that stand for all others, or why there is none.
fn represented(
    source: &Source,
    asked: &ProgramOptions,
) -> Result<Result<Arc<Task>, String>, Failure> {
    let about_all = BTreeSet::from(ABOUT_ALL);
    let verified = asked.verified();
    if let Some(property) = verified.intersection(&about_all).next() {
        return Ok(Err(format!("`{property}` is about all threads at once")));
    }
    Ok(match source.for_any_number() {
        Ok(source) => Ok(Arc::new(source.task(asked)?)),
        Err(reason) => Err(reason),
    })
}

/// The options of the engine that proves thread by thread.
fn by_threads(options: &Options) -> Options {
    Options {
        engines: EngineOptions {
            engine: Choice::THREAD_BY_THREAD,
            ..options.engines.clone()
        },
        ..options.clone()
    }
}

/// What there is to say of few threads: the first violation, the fewest threads first.
fn with_few(
    source: &Source,
    asked: &ProgramOptions,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    let mut threads = 1;
    loop {
        let asked = ProgramOptions {
            threads: Some(ThreadBound::AtMost(threads)),
            ..asked.clone()
        };
        let task = Arc::new(source.with_at_most(threads).task(&asked)?);
        let outcome = crate::verify(&task, options, budget, progress);
        if is_conclusive(&outcome) || threads == MOST || budget.exhausted().is_some() {
            return outcome;
        }
        threads += 1;
    }
}

fn is_conclusive(outcome: &Outcome) -> bool {
    match outcome {
        Ok((_, report)) => report.verdict.is_conclusive(),
        Err(_) => true,
    }
}

/// One answer of those for any number of threads and for few.
fn combined(
    (_, proof): (Option<Property>, Report),
    (violated, few): (Option<Property>, Report),
) -> Outcome {
    match (&proof.verdict, &few.verdict) {
        (Verdict::Safe, Verdict::Unsafe { .. }) => Err(Failure::Internal(
            "engines disagree: a proof for any number of threads, but a violation with few".into(),
        )),
        (_, Verdict::Safe | Verdict::Unsafe { .. }) => Ok((violated, few)),
        (Verdict::Safe | Verdict::Unsafe { .. }, Verdict::Unknown { .. }) => Ok((None, proof)),
        (Verdict::Unknown { reason: all }, Verdict::Unknown { reason }) => {
            let reason = format!("for any number of threads: {all}; with few of them: {reason}");
            let verdict = Verdict::unknown(reason);
            Ok((None, Report { verdict, ..few }))
        }
    }
}
