//! The engine `explicit`: all interleavings of the program over concrete states.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use abi::ids::SiteId;
use abi::schedule::Schedule;
use explicit::explore::{Exploration, Limits, Outcome, Reason, explore, explore_and_keep};
use explicit::interpret::replay;
use system::budget::Budget;

use super::{Answer, Engine, LimitReached, Question};
use crate::dependence::doubt;
use crate::options::Options;
use crate::report::Queries;
use crate::task::Task;

pub(super) static EXPLICIT: Engine = Engine {
    name: "explicit",
    about: "Exhaustive search of all interleavings over concrete states",
    niceness: 0,
    takes_predicates: false,
    shows_own_run: false,
    run,
};

/// How many states the search for a short counterexample may see.
const SHORTEST_STATES: u64 = 200_000;

/// How many bytes states take at most: beside other engines, and alone.
const BESIDE: u64 = 768 << 20;
const ALONE: u64 = 4 << 30;

const POLL: Duration = Duration::from_millis(20);

/// Searches the program as it was read, without reduction.
fn run(question: &Question<'_>) -> (Answer, Option<Queries>) {
    let &Question {
        task,
        options,
        budget,
        ..
    } = question;
    let (exploration, explored) = within(budget, |cancel| {
        let limits = Limits {
            memory: memory(options),
            cancel: Some(cancel),
            ..Limits::default()
        };
        explore_and_keep(&task.program, &task.instances, &limits)
    });
    let answer = match explored {
        Some(explored) => Answer::Explored(Arc::new(explored)),
        None => answer(task, exploration, budget),
    };
    (answer, None)
}

/// How many bytes the states may take: at most half of what the process may.
pub(crate) fn memory(options: &Options) -> u64 {
    let is_alone = options.engines.engine.only().is_some();
    let most = if is_alone { ALONE } else { BESIDE };
    options.limits.memory.map_or(most, |mebibytes| {
        most.min(mebibytes.saturating_mul(1 << 19))
    })
}

/// A violation with the fewest turns of threads, if a breadth-first search meets one within its bound and the budget.
/// Which one depends on the program alone.
pub fn shortest(task: &Task, budget: &Budget) -> Option<Schedule> {
    let exploration = within(budget, |cancel| {
        let limits = Limits {
            states: SHORTEST_STATES,
            shortest: true,
            cancel: Some(cancel),
            ..Limits::default()
        };
        explore(&task.program, &task.instances, &limits)
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
fn answer(task: &Task, exploration: Exploration, budget: &Budget) -> Answer {
    let (reasons, states) = match exploration.outcome {
        Outcome::Error(violation) => {
            let replay = replay(&task.program, &task.instances, &violation.schedule);
            return match doubt(task, &replay) {
                Some(_) => Answer::Doubted(violation.schedule),
                None => Answer::Schedule(violation.schedule),
            };
        }
        Outcome::NoError { reasons, .. } => (reasons, None),
        Outcome::LimitReached(reasons) => (reasons, Some(exploration.states)),
    };
    let found = Found::new(task, &reasons);
    match states {
        // If only limits stand between the search and a proof, no other engine can prove the program either.
        None if found.others.is_empty() => Answer::Beyond(
            found
                .limits
                .into_iter()
                .map(LimitReached::Described)
                .collect(),
        ),
        Some(states) if budget.exhausted().is_some() => Answer::Undecided {
            reason: format!("no violation in {states} states"),
            met: found.limits,
        },
        None | Some(_) => Answer::Undecided {
            reason: found.others.join(", "),
            met: found.limits,
        },
    }
}

/// Why a search is no proof, in words.
struct Found {
    /// The limits of the program that it met.
    limits: Vec<String>,
    others: Vec<String>,
}

/// How many values are named that were not tried.
const NAMED: usize = 3;

impl Found {
    fn new(task: &Task, reasons: &[Reason]) -> Self {
        let (mut limits, mut others, mut values) = (Vec::new(), Vec::new(), BTreeMap::new());
        for reason in reasons {
            match reason {
                Reason::Location { kind, site } => {
                    limits.push(format!("{kind} at {}", task.place(*site)));
                }
                Reason::Sampled { what, site, .. } => {
                    let value = format!("{what} at {}", task.place(*site));
                    values.entry(value).or_insert(*site);
                }
                Reason::States(_) | Reason::Time(_) | Reason::Memory(_) | Reason::Cancelled => {
                    others.push(reason.to_string());
                }
            }
        }
        if !values.is_empty() {
            let more = match values.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let mut values: Vec<(String, SiteId)> = values.into_iter().collect();
            values.sort_by_key(|&(_, site)| site);
            let named: Vec<String> = values
                .into_iter()
                .map(|(value, _)| value)
                .take(NAMED)
                .collect();
            let named = named.join(", ");
            others.push(format!("not all values were tried of {named}{more}"));
        }
        Self { limits, others }
    }
}
