//! Verification for any number of threads: proofs about threads that stand for all others, and violations with few threads, are looked
//! for side by side.

use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};

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

/// Violations are looked for with so many threads of a kind, the fewest first.
const FEW: RangeInclusive<u32> = 1..=3;

/// How many threads stand for all of a kind in a proof that is about one of them at a time.
pub(crate) const REPRESENTATIVES: usize = 2;

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
    let about_one = represented(source, asked, REPRESENTATIVES)?;
    let about_two = match options.engines.engine.about_several() {
        Some(engine) => Some((represented(source, asked, REPRESENTATIVES + 1)?, engine)),
        None => None,
    };
    let work = Work {
        options,
        proving: budget.child(),
        refuting: budget.child(),
    };
    let (proofs, few) = thread::scope(|scope| {
        let one = work.prove(scope, about_one, options.engines.engine)?;
        let two = about_two.map(|(task, engine)| work.prove(scope, task, engine));
        let few = work.refute(source, asked, progress);
        let proofs = [Some(one), two.transpose()?].into_iter().flatten();
        let proofs: Vec<Outcome> = proofs
            .map(|proof| proof.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect();
        Ok((proofs, few))
    })?;
    let proofs = proofs
        .into_iter()
        .map(|proof| proof.map(|(_, report)| report));
    combined(proofs.collect::<Result<_, _>>()?, few?)
}

/// The task about so many threads that stand for all others of a kind, or why there is none.
fn represented(
    source: &Source,
    asked: &ProgramOptions,
    representatives: usize,
) -> Result<Result<Arc<Task>, String>, Failure> {
    let source = source.for_any_number(representatives, &asked.verified());
    Ok(match source {
        Ok(source) => Ok(Arc::new(source.task(asked)?)),
        Err(reason) => Err(reason),
    })
}

/// What is done side by side. The first conclusive answer ends the rest.
struct Work<'a> {
    options: &'a Options,
    proving: Budget,
    refuting: Budget,
}

impl Work<'_> {
    /// Looks for a proof.
    fn prove<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        task: Result<Arc<Task>, String>,
        engine: Choice,
    ) -> Result<ScopedJoinHandle<'scope, Outcome>, Failure> {
        let options = Options {
            engines: EngineOptions {
                engine,
                ..self.options.engines.clone()
            },
            ..self.options.clone()
        };
        let prove = move || {
            let outcome = match task {
                Ok(task) => crate::verify(&task, &options, &self.proving, &Progress::hidden()),
                Err(reason) => Ok((None, Report::undecided(Verdict::unknown(reason)))),
            };
            if is_conclusive(&outcome) {
                self.refuting.cancel();
                self.proving.cancel();
            }
            outcome
        };
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, prove);
        thread.map_err(|error: io::Error| {
            self.proving.cancel();
            no_thread(&error)
        })
    }

    /// Looks for a violation with few threads.
    fn refute(&self, source: &Source, asked: &ProgramOptions, progress: &Progress) -> Outcome {
        let mut outcome = Ok((None, Report::undecided(Verdict::unknown("not looked at"))));
        for threads in FEW {
            let asked = ProgramOptions {
                threads: Some(ThreadBound::AtMost(threads)),
                ..asked.clone()
            };
            let task = source.with_at_most(threads).task(&asked);
            outcome = task.and_then(|task| {
                crate::verify(&Arc::new(task), self.options, &self.refuting, progress)
            });
            if is_conclusive(&outcome) {
                self.proving.cancel();
                break;
            }
            if self.refuting.exhausted().is_some() {
                break;
            }
        }
        outcome
    }
}

fn is_conclusive(outcome: &Outcome) -> bool {
    match outcome {
        Ok((_, report)) => report.verdict.is_conclusive(),
        Err(_) => true,
    }
}

/// One answer of those for any number of threads and for few.
fn combined(proofs: Vec<Report>, (violated, few): (Option<Property>, Report)) -> Outcome {
    let is_proof = |report: &&Report| report.verdict == Verdict::Safe;
    let proof = proofs.iter().find(is_proof);
    match (proof, &few.verdict) {
        (Some(_), Verdict::Unsafe { .. }) => Err(Failure::Internal(
            "engines disagree: a proof for any number of threads, but a violation with few".into(),
        )),
        (_, Verdict::Safe | Verdict::Unsafe { .. }) => Ok((violated, few)),
        (Some(proof), Verdict::Unknown { .. }) => Ok((None, proof.clone())),
        (None, Verdict::Unknown { reason }) => {
            let reasons = proofs.iter().filter_map(|report| match &report.verdict {
                Verdict::Unknown { reason } => Some(reason.as_str()),
                Verdict::Safe | Verdict::Unsafe { .. } => None,
            });
            let all: BTreeSet<&str> = reasons.collect();
            let all: Vec<&str> = all.into_iter().collect();
            let all = all.join("; ");
            let reason = format!("for any number of threads: {all}; with few of them: {reason}");
            let verdict = Verdict::unknown(reason);
            Ok((None, Report { verdict, ..few }))
        }
    }
}
