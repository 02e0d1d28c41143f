//! The common part of the engines that decide transition systems.
//!
//! Besides the error, a system has properties for the limits (bounds, undefined behaviour, unsupported constructs) that
//! a run may meet. The engines search for an error even behind limits, because an error is real whatever limits exist;
//! SAFE needs all properties. If a limit is reachable and no error is, the answer is [`Answer::Beyond`].

use abi::schedule::Schedule;
use encode::properties::Limit;
use explicit::interpret::{ReplayEnd, replay};
use ic3::Engine;
use solver::{Backend, QueryStatistics};
use system::budget::Budget;
use system::transition_system::{Role, Trace, TransitionSystem, Verdict};

use super::{Answer, LimitReached, Question, Settings, SolverChoice};
use crate::evidence::{self, Met};
use crate::report::Queries;
use crate::task::Task;

pub(super) fn queries(engine: &dyn Engine) -> Queries {
    named(&engine.statistics())
}

/// Queries by their names, as reports have them.
pub(super) fn named(statistics: &QueryStatistics) -> Queries {
    let queries = statistics.queries.iter();
    queries
        .map(|(&name, &counts)| (name.to_owned(), counts))
        .collect()
}

pub(super) fn backend(settings: Settings) -> Backend {
    match settings.solver {
        SolverChoice::Cadical => Backend::BitBlasting,
        SolverChoice::Z3 => Backend::Z3,
    }
}

/// A run of the system into an access that is invalid there alone: the system knows which addresses a word may hold, and one that was never
/// written may hold others.
pub(super) struct Stray(Trace);

/// What an engine says of a task that is asked about systems in turn. A stray access says nothing of other violations, so they are asked
/// for without the property that it violates.
pub(super) fn despite_strays(
    task: &Task,
    mut ask: impl FnMut(&TransitionSystem) -> Result<Answer, Stray>,
) -> Answer {
    let mut system = task.encoded().to_prove();
    let mut first = None;
    loop {
        match (ask(&system), first) {
            (Err(Stray(trace)), before) => {
                system.properties[trace.property].role = Role::Limit;
                first = Some(before.unwrap_or(trace));
            }
            (Ok(Answer::Beyond(_)), Some(stray)) => return Answer::Unencoded(stray),
            (Ok(answer), _) => return answer,
        }
    }
}

/// Is anything reachable? Then, if it is a limit: is the error?
pub(super) fn two_rounds(engine: &mut dyn Engine, question: &Question<'_>) -> Answer {
    despite_strays(question.task, |system| {
        rounds(engine, question, system.clone())
    })
}

fn rounds(
    engine: &mut dyn Engine,
    question: &Question<'_>,
    mut all: TransitionSystem,
) -> Result<Answer, Stray> {
    let &Question { task, budget, .. } = question;
    if !task.program.families.is_empty() {
        return Ok(for_any_number(all, engine, budget));
    }
    let (mut restricted, positions) = without_limits(&all);
    let limit = match engine.check(&mut all, budget) {
        Verdict::Unsafe(trace) if all.role(trace.property) == Role::Limit => trace,
        verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_)) => {
            return one_round(task, all, verdict);
        }
    };
    match engine.check(&mut restricted, budget) {
        Verdict::Unsafe(trace) => violation(
            task,
            Trace {
                property: positions[trace.property],
                ..trace
            },
        ),
        Verdict::Safe(_) => Ok(limited(task, limit)),
        Verdict::Unknown(reason) => Ok(stopped_behind(task, &reason.to_string(), &limit)),
    }
}

/// What an engine says of threads that stand for any number of others: runs of them need not be runs of the program.
fn for_any_number(
    mut system: TransitionSystem,
    engine: &mut dyn Engine,
    budget: &Budget,
) -> Answer {
    match engine.check(&mut system, budget) {
        Verdict::Safe(proof) => Answer::Proved {
            system: Box::new(system),
            proof,
        },
        Verdict::Unsafe(trace) => {
            let property = &system.properties[trace.property].name;
            Answer::undecided(format!("no proof: some threads may come to {property}"))
        }
        Verdict::Unknown(reason) => Answer::undecided(reason.to_string()),
    }
}

/// What is known where the search for the error was stopped, and before that a run into a limit was found.
pub(super) fn stopped_behind(task: &Task, reason: &str, limit: &Trace) -> Answer {
    match evidence::met(task, limit) {
        Ok(Met::Limit { reason: met, .. }) => Answer::Undecided {
            reason: reason.to_owned(),
            met: vec![met],
        },
        Ok(Met::Error(schedule)) => Answer::Schedule(schedule),
        Err(failure) => Answer::Fault(failure),
    }
}

/// What a verdict on a system means for the program; a trace into a limit, that no error is reachable.
pub(super) fn one_round(
    task: &Task,
    system: TransitionSystem,
    verdict: Verdict,
) -> Result<Answer, Stray> {
    match verdict {
        Verdict::Safe(proof) => Ok(Answer::Proved {
            system: Box::new(system),
            proof,
        }),
        Verdict::Unknown(reason) => Ok(Answer::undecided(reason.to_string())),
        Verdict::Unsafe(trace) => match system.role(trace.property) {
            Role::Violation => violation(task, trace),
            Role::Limit => Ok(limited(task, trace)),
        },
    }
}

/// What a run of the system into a violation is for the program. One that the program does not have decides nothing.
fn violation(task: &Task, trace: Trace) -> Result<Answer, Stray> {
    match evidence::follow(task, &trace) {
        Ok(Some(run)) if run.stray_access.is_some() && !ends_in_error(task, &run.schedule) => {
            Err(Stray(trace))
        }
        Ok(Some(run)) => Ok(Answer::Schedule(run.schedule)),
        Ok(None) => Ok(Answer::undecided(evidence::LOOKS_LIKE_ADDRESS)),
        Err(failure) => Ok(Answer::Fault(failure)),
    }
}

fn ends_in_error(task: &Task, schedule: &Schedule) -> bool {
    let run = replay(&task.program, &task.instances, schedule);
    matches!(run.end, ReplayEnd::Error { .. })
}

/// What a run of the system into a limit is for the program, if no run reaches an error.
fn limited(task: &Task, trace: Trace) -> Answer {
    let limit = task.encoded().encoding.back.limit(trace.property);
    match evidence::follow(task, &trace) {
        Ok(Some(_)) if matches!(limit, Some(Limit::Encoding(_))) => Answer::Unencoded(trace),
        Ok(Some(_)) => Answer::Beyond(vec![LimitReached::Trace(trace)]),
        Ok(None) => Answer::undecided(evidence::LOOKS_LIKE_ADDRESS),
        Err(failure) => Answer::Fault(failure),
    }
}

/// The system with the properties alone that are violations, and where these stand among all.
fn without_limits(system: &TransitionSystem) -> (TransitionSystem, Vec<usize>) {
    let mut restricted = system.clone();
    let all = system.properties.iter().enumerate();
    let violations = all.filter(|(_, property)| property.role == Role::Violation);
    let (positions, properties) = violations
        .map(|(position, property)| (position, property.clone()))
        .unzip();
    restricted.properties = properties;
    (restricted, positions)
}
