//! The engines `explicit` and `explicit-reduced`: all interleavings of the program, or those that its reduction leaves, over concrete
//! states.

use std::collections::BTreeMap;
use std::sync::Arc;

use abi::ids::SiteId;
use abi::schedule::Schedule;
use explicit::explore::{
    Exploration, Incompleteness, Scheduling, SearchLimits, SearchVerdict, explore, explore_until,
};
use explicit::interpret::replay;
use system::budget::Budget;

use super::{Answer, Engine, EngineInput, LimitReached, MemoryShare, Question};
use crate::dependence::doubt;
use crate::recurrence;
use crate::report::Queries;
use crate::task::Task;
use crate::verdict::listed;
use crate::violation::Violation;

pub(super) static EXPLICIT: Engine = Engine {
    name: "explicit",
    about: "Exhaustive search of all interleavings over concrete states",
    input: EngineInput::Program,
    evidence: ["a schedule", "a closed set of states"],
    memory_share: Some(MEMORY),
    niceness: 0,
    takes_predicates: false,
    orders_events: false,
    takes_scope: false,
    for_any_number: false,
    for_infinite_runs: true,
    shows_own_run: false,
    run: |question| search(question, Scheduling::Visible),
};

pub(super) static EXPLICIT_REDUCED: Engine = Engine {
    name: "explicit-reduced",
    about: "Exhaustive search of the interleavings that the reduction leaves, over concrete states",
    evidence: [
        "a schedule",
        "a closed set of states of the reduced program",
    ],
    for_infinite_runs: false,
    run: |question| search(question, Scheduling::External),
    ..EXPLICIT
};

/// How many states the search for a short counterexample may see.
const SHORTEST_STATES: u64 = 200_000;
/// How many states the search for the limits of a program may see, for the sake of words that do not depend on which engine was first.
const LIMIT_STATES: u64 = 20_000;

const MEMORY: MemoryShare = MemoryShare {
    beside: 768 << 20,
    alone: 4 << 30,
};

/// Searches the program as it was read, or as it is reduced where turns are taken at external locations.
fn search(question: &Question<'_>, scheduling: Scheduling) -> (Answer, Option<Queries>) {
    let &Question {
        task,
        budget,
        alone,
        memory,
        ..
    } = question;
    let limits = SearchLimits {
        memory: share(alone, memory),
        budget: budget.clone(),
        scheduling,
        distinctions: task.distinctions(scheduling),
        fair: task.assumptions.fair,
        ..SearchLimits::default()
    };
    let program = task.searched(scheduling);
    let accept = |schedule: &Schedule| counts(task, &of_program(task, scheduling, schedule));
    let (exploration, explored) = explore_until(program, &task.instances, &limits, &accept);
    let answer = match explored {
        // What is checked of the states is that no run at all goes on for ever.
        Some(_) if task.assumptions.fair => {
            Answer::undecided("all states are seen, which is no evidence that all fair runs end")
        }
        Some(explored) => Answer::Explored(Arc::new(explored)),
        None => answer(task, scheduling, exploration, budget),
    };
    (answer, None)
}

/// How many bytes the states may take: at most half of what the process may, which is limited to so many MiB.
pub(crate) fn share(alone: bool, limit: Option<u64>) -> u64 {
    let most = if alone { MEMORY.alone } else { MEMORY.beside };
    limit.map_or(most, |mebibytes| {
        most.min(mebibytes.saturating_mul(1 << 19))
    })
}

/// Whether a run of the program into a violation counts.
pub(super) fn counts(task: &Task, schedule: &Schedule) -> bool {
    if schedule.repeats_from.is_some() {
        let evidence = recurrence::goes_on(task, schedule.clone());
        return evidence.is_ok_and(|evidence| evidence.violated.is_some());
    }
    let run = replay(&task.program, &task.instances, schedule);
    Violation::found(task, &run, doubt(task, &run).as_ref()).is_some()
}

/// A violation with the fewest turns of threads, if a breadth-first search meets one within its bound and the budget.
/// Which one depends on the program alone.
pub fn shortest(task: &Task, budget: &Budget) -> Option<Schedule> {
    shortest_of(task, budget, &|_| true)
}

/// The same of the violations that are accepted; if there are only others, of these.
fn shortest_of(
    task: &Task,
    budget: &Budget,
    accept: &dyn Fn(&Schedule) -> bool,
) -> Option<Schedule> {
    let limits = SearchLimits {
        shortest: true,
        ..bounded(task, SHORTEST_STATES, budget)
    };
    let (exploration, _) = explore_until(&task.program, &task.instances, &limits, accept);
    match exploration.verdict {
        SearchVerdict::Unsafe(violation) => Some(violation.schedule),
        SearchVerdict::Safe(()) | SearchVerdict::Unknown(_) => None,
    }
}

/// The limits of the program that a search meets within its bound and the budget, in words, with their places. Which ones depends on
/// the program alone.
///
/// # Errors
/// The search meets a violation, by this schedule.
pub fn limits_met(task: &Task, budget: &Budget) -> Result<Vec<String>, Schedule> {
    let limits = bounded(task, LIMIT_STATES, budget);
    match explore(&task.program, &task.instances, &limits).verdict {
        SearchVerdict::Unsafe(violation) => Err(violation.schedule),
        SearchVerdict::Safe(()) => Ok(Vec::new()),
        SearchVerdict::Unknown(reasons) => Ok(Found::new(task, &reasons).limits),
    }
}

/// A search of the program that sees at most so many states, and takes no longer than so many take that have one choice or two.
fn bounded(task: &Task, states: u64, budget: &Budget) -> SearchLimits {
    SearchLimits {
        states,
        turns: 2 * states,
        budget: budget.clone(),
        distinctions: task.distinctions(Scheduling::Visible),
        ..SearchLimits::default()
    }
}

/// What a search means that is no proof.
fn answer(
    task: &Task,
    scheduling: Scheduling,
    exploration: Exploration,
    budget: &Budget,
) -> Answer {
    let reasons = match exploration.verdict {
        SearchVerdict::Unsafe(violation) => {
            let schedule = of_program(task, scheduling, &violation.schedule);
            if counts(task, &schedule) {
                return Answer::Schedule(schedule);
            }
            // A state is followed from one of the ways to it alone; a short way may do without what is not known.
            let shortest = shortest_of(task, budget, &|schedule| counts(task, schedule));
            return match shortest.filter(|schedule| counts(task, schedule)) {
                Some(shortest) => Answer::Schedule(shortest),
                None => Answer::Doubted(schedule),
            };
        }
        SearchVerdict::Safe(()) => Vec::new(),
        SearchVerdict::Unknown(reasons) => reasons,
    };
    let is_given_up = reasons.iter().any(Incompleteness::ends_search);
    let found = Found::new(task, &reasons);
    // If only limits stand between the search and a proof, no other engine can prove the program either.
    if found.others.is_empty() {
        return Answer::Beyond(
            found
                .limits
                .into_iter()
                .map(LimitReached::Described)
                .collect(),
        );
    }
    let reason = match is_given_up && budget.exhausted().is_some() {
        true => format!("no violation in {} states", exploration.states),
        false => found.others.join(", "),
    };
    Answer::Undecided {
        reason,
        met: found.limits,
    }
}

/// The run of the program that a run of the searched one stands for: without the statements that the reduction added.
fn of_program(task: &Task, scheduling: Scheduling, schedule: &Schedule) -> Schedule {
    if scheduling == Scheduling::Visible {
        return schedule.clone();
    }
    let mut run = Schedule::default();
    for step in replay(&task.reduced, &task.instances, schedule).steps {
        let template = task.instances.threads[step.instance].template;
        if task.program.has_edge(template, step.edge) {
            run.push_step(step.instance, &step.inputs);
        }
    }
    run
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
    fn new(task: &Task, reasons: &[Incompleteness]) -> Self {
        let (mut limits, mut others, mut values) = (Vec::new(), Vec::new(), BTreeMap::new());
        for reason in reasons {
            match reason {
                Incompleteness::Location { kind, site } => {
                    limits.push(format!("{kind} at {}", task.place(*site)));
                }
                Incompleteness::Sampled { what, site, .. } => {
                    let value = format!("{what} at {}", task.place(*site));
                    values.entry(value).or_insert(*site);
                }
                Incompleteness::States(_)
                | Incompleteness::Turns(_)
                | Incompleteness::Memory(_)
                | Incompleteness::Stopped(_) => {
                    others.push(reason.to_string());
                }
            }
        }
        if !values.is_empty() {
            let mut values: Vec<(String, SiteId)> = values.into_iter().collect();
            values.sort_by_key(|&(_, site)| site);
            let values: Vec<String> = values.into_iter().map(|(value, _)| value).collect();
            let named = listed(&values, NAMED);
            others.push(format!("not all values were tried of {named}"));
        }
        Self { limits, others }
    }
}
