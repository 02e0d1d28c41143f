//! One engine, asked about the error and about the limits.
//!
//! Besides the error, a system has properties that say which limits (bounds, undefined behaviour, unsupported constructs)
//! a run may meet. An error is looked for even behind limits, because it is real whatever limits exist; SAFE needs all properties.
//! Where a limit is reachable and no error is, the answer is [`Answer::Beyond`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ic3::smt::Backend;
use ic3::{
    Bmc, BmcOptions, Budget, Ctigar, CtigarOptions, Engine, KInduction, KInductionOptions,
    Precision,
};
use system::transition_system::{Reason, Trace, TransitionSystem, Verdict};

use crate::evidence::{self, Met};
use crate::explicit;
use crate::options::{EngineChoice, Options, PredicateChoice, SolverChoice};
use crate::pipeline::Prepared;
use crate::portfolio::{Answer, LimitReached};
use crate::priorities;
use crate::progress::Progress;
use crate::report::Queries;

/// The name of an engine, its answer, and its queries.
pub(crate) type Outcome = (&'static str, Answer, Option<Queries>);

/// Runs an engine; `explicit` where no single one is chosen.
pub(crate) fn run(
    choice: EngineChoice,
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    match choice {
        EngineChoice::Ic3 => {
            let precision = match options.engines.predicates {
                Some(PredicateChoice::Exact) => Precision::Exact,
                Some(PredicateChoice::Affine) | None => Precision::Affine,
                Some(PredicateChoice::Atoms) => Precision::Atoms,
            };
            abstracting(prepared, options, budget, precision)
        }
        EngineChoice::Ic3Exact => abstracting(prepared, options, budget, Precision::Exact),
        EngineChoice::Bmc => bounded(prepared, options, budget, progress),
        EngineChoice::Kind => inductive(prepared, options, budget),
        EngineChoice::Explicit | EngineChoice::Portfolio => (
            "explicit",
            explicit::search(prepared, priorities::memory_of_search(options), budget),
            None,
        ),
    }
}

fn bounded(
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    let deepest = Arc::new(AtomicUsize::new(0));
    let mut engine = Bmc::new(BmcOptions {
        depth: options.engines.depth.unwrap_or(usize::MAX),
        backend: backend(options),
        sought: Some(0),
        ..BmcOptions::default()
    })
    .on_progress({
        let (deepest, progress) = (deepest.clone(), progress.clone());
        move |depth| {
            deepest.fetch_max(depth, Ordering::Relaxed);
            progress.depth(depth);
        }
    });
    let mut all = prepared.system().clone();
    let verdict = engine.check(&mut all, budget);
    let mut answer = one_round(all, verdict);
    let stopped = matches!(
        budget.exhausted(),
        Some(Reason::Time(_) | Reason::Memory(_))
    );
    let deepest = deepest.load(Ordering::Relaxed);
    if stopped && deepest > 0 && !answer.is_conclusive() {
        answer = Answer::undecided(format!("no violation up to depth {deepest}"));
    }
    if let (Answer::Undecided { reason, .. }, Some(limit)) = (&answer, engine.beside()) {
        answer = stopped_behind(prepared, reason, limit);
    }
    outcome(&engine, answer)
}

fn inductive(prepared: &Prepared, options: &Options, budget: &Budget) -> Outcome {
    let mut engine = KInduction::new(KInductionOptions {
        depth: options.engines.depth.unwrap_or(usize::MAX),
        backend: backend(options),
        ..KInductionOptions::default()
    });
    let answer = two_rounds(&mut engine, prepared, budget);
    outcome(&engine, answer)
}

fn abstracting(
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    precision: Precision,
) -> Outcome {
    let mut engine = Ctigar::new(CtigarOptions {
        precision,
        backend: backend(options),
        max_spurious: options.engines.max_spurious,
    });
    let answer = two_rounds(&mut engine, prepared, budget);
    outcome(&engine, answer)
}

fn outcome(engine: &dyn Engine, answer: Answer) -> Outcome {
    let queries = engine.statistics().queries.into_iter();
    let queries = queries.map(|(name, counts)| (name.to_owned(), counts));
    (engine.name(), answer, Some(queries.collect()))
}

fn backend(options: &Options) -> Backend {
    match options.engines.solver {
        SolverChoice::Cadical => Backend::BitBlasting,
        SolverChoice::Z3 => Backend::Z3,
    }
}

/// Is anything reachable? Then, if it is a limit: is the error?
fn two_rounds(engine: &mut dyn Engine, prepared: &Prepared, budget: &Budget) -> Answer {
    let system = prepared.system();
    let mut all = system.clone();
    let limit = match engine.check(&mut all, budget) {
        Verdict::Unsafe(trace) if trace.property != 0 => trace,
        verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_)) => {
            return one_round(all, verdict);
        }
    };
    match engine.check(&mut error_only(system), budget) {
        Verdict::Unsafe(trace) => Answer::Trace(trace),
        Verdict::Safe(_) => Answer::Beyond(vec![LimitReached::Trace(limit)]),
        Verdict::Unknown(reason) => stopped_behind(prepared, &reason.to_string(), &limit),
    }
}

/// What is known where the search for the error was stopped, and before that a run into a limit was found.
fn stopped_behind(prepared: &Prepared, reason: &str, limit: &Trace) -> Answer {
    match evidence::met(prepared, limit) {
        Ok(Met::Limit { reason: met, .. }) => Answer::Undecided {
            reason: reason.to_owned(),
            met: vec![met],
        },
        Ok(Met::Error(schedule)) => Answer::Schedule(schedule),
        // Said where the evidence is judged.
        Err(_) => Answer::Beyond(vec![LimitReached::Trace(limit.clone())]),
    }
}

/// What a verdict on a system means for the program; a trace into a limit, that no error is reachable.
fn one_round(system: TransitionSystem, verdict: Verdict) -> Answer {
    match verdict {
        Verdict::Safe(proof) => Answer::Proved {
            system: Box::new(system),
            proof,
        },
        Verdict::Unknown(reason) => Answer::undecided(reason.to_string()),
        Verdict::Unsafe(trace) if trace.property == 0 => Answer::Trace(trace),
        Verdict::Unsafe(limit) => Answer::Beyond(vec![LimitReached::Trace(limit)]),
    }
}

fn error_only(system: &TransitionSystem) -> TransitionSystem {
    let mut restricted = system.clone();
    restricted.properties.truncate(1);
    restricted
}
