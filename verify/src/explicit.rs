//! The engine `explicit`: all interleavings of the program over concrete states.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use abi::schedule::Schedule;
use ic3::Budget;
use program::explore::{Exploration, Limits, Outcome, Reason, explore, explore_and_keep};

use crate::decide::{Answer, Beyond};
use crate::pipeline::Prepared;

/// How many states the search for a short counterexample may see.
const SHORTEST_STATES: u64 = 200_000;

const POLL: Duration = Duration::from_millis(20);

/// Searches the program as it was read, without reduction.
pub fn search(prepared: &Prepared, budget: &Budget) -> Answer {
    let cancel = Arc::new(AtomicBool::new(false));
    let done = AtomicBool::new(false);
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let (exploration, explored) = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) && budget.exhausted().is_none() {
                thread::sleep(POLL);
            }
            cancel.store(true, Ordering::Relaxed);
        });
        let exploration = explore_and_keep(&prepared.program, &prepared.instances, &limits);
        done.store(true, Ordering::Relaxed);
        exploration
    });
    match explored {
        Some(explored) => Answer::Explored(Arc::new(explored)),
        None => answer(prepared, exploration, budget),
    }
}

/// What a search means that is no proof.
fn answer(prepared: &Prepared, exploration: Exploration, budget: &Budget) -> Answer {
    match exploration.outcome {
        Outcome::Error(violation) => Answer::Schedule(shorter(prepared, violation.schedule)),
        Outcome::NoError { reasons, .. } => incomplete(prepared, &reasons),
        Outcome::LimitReached(reasons) => Answer::Undecided(match budget.exhausted() {
            Some(reason) => format!("{reason}, after {} states", exploration.states),
            None => reasons
                .iter()
                .map(Reason::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        }),
    }
}

/// A depth-first search finds errors by detours; a breadth-first one is used when it is not much larger.
fn shorter(prepared: &Prepared, schedule: Schedule) -> Schedule {
    let limits = Limits {
        states: SHORTEST_STATES,
        shortest: true,
        ..Limits::default()
    };
    match explore(&prepared.program, &prepared.instances, &limits).outcome {
        Outcome::Error(violation) => violation.schedule,
        Outcome::NoError { .. } | Outcome::LimitReached(_) => schedule,
    }
}

/// If only limit locations stand between the search and a proof, no other engine can prove the program either.
fn incomplete(prepared: &Prepared, reasons: &[Reason]) -> Answer {
    let describe = |reason: &Reason| match reason {
        Reason::Location { kind, site } => Some(format!("{kind} at {}", prepared.place(*site))),
        Reason::Sampled { .. }
        | Reason::States(_)
        | Reason::Time(_)
        | Reason::Memory(_)
        | Reason::Cancelled => None,
    };
    match reasons.iter().map(describe).collect::<Option<Vec<_>>>() {
        Some(limits) => Answer::Beyond(limits.into_iter().map(Beyond::Described).collect()),
        None => Answer::Undecided("some nondeterministic values were not tried".into()),
    }
}
