//! The engine `explicit`: all interleavings of the program over concrete states.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
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

/// Searches the program as it was read, without reduction, with so many bytes for states.
pub fn search(prepared: &Prepared, memory: u64, budget: &Budget) -> Answer {
    let (exploration, explored) = within(budget, |cancel| {
        let limits = Limits {
            memory,
            cancel: Some(cancel),
            ..Limits::default()
        };
        explore_and_keep(&prepared.program, &prepared.instances, &limits)
    });
    match explored {
        Some(explored) => Answer::Explored(Arc::new(explored)),
        None => answer(prepared, exploration, budget),
    }
}

/// A violation with the fewest turns of threads, if a breadth-first search meets one within its bound and the budget.
/// Which one depends on the program alone.
pub fn shortest(prepared: &Prepared, budget: &Budget) -> Option<Schedule> {
    let exploration = within(budget, |cancel| {
        let limits = Limits {
            states: SHORTEST_STATES,
            shortest: true,
            cancel: Some(cancel),
            ..Limits::default()
        };
        explore(&prepared.program, &prepared.instances, &limits)
    });
    match exploration.outcome {
        Outcome::Error(violation) => Some(violation.schedule),
        Outcome::NoError { .. } | Outcome::LimitReached(_) => None,
    }
}

/// Runs a search whose flag is raised when the budget is exhausted.
fn within<T>(budget: &Budget, search: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
    let cancel = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let (searching, ended) = mpsc::channel::<()>();
        let flag = cancel.clone();
        scope.spawn(move || {
            while budget.exhausted().is_none() {
                if ended.recv_timeout(POLL) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
            flag.store(true, Ordering::Relaxed);
        });
        let result = search(cancel);
        drop(searching);
        result
    })
}

/// What a search means that is no proof.
fn answer(prepared: &Prepared, exploration: Exploration, budget: &Budget) -> Answer {
    match exploration.outcome {
        Outcome::Error(violation) => Answer::Schedule(violation.schedule),
        Outcome::NoError { reasons, .. } => incomplete(prepared, &reasons),
        Outcome::LimitReached(reasons) => Answer::Undecided(match budget.exhausted() {
            Some(_) => format!("no violation in {} states", exploration.states),
            None => reasons
                .iter()
                .map(Reason::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        }),
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
