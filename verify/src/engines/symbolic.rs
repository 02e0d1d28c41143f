//! The common part of the engines that decide transition systems.
//!
//! Besides the error, a system has properties for the limits (bounds, undefined behaviour, unsupported constructs) that
//! a run may meet. The engines search for an error even behind limits, because an error is real whatever limits exist;
//! SAFE needs all properties. If a limit is reachable and no error is, the answer is [`Answer::Beyond`].

use encode::properties::Limit;
use ic3::Engine;
use solver::Backend;
use system::transition_system::{Role, Trace, TransitionSystem, Verdict};

use super::{Answer, LimitReached, Question, Settings, SolverChoice};
use crate::evidence::{self, Met};
use crate::report::Queries;
use crate::task::Task;

pub(super) fn queries(engine: &dyn Engine) -> Queries {
    let queries = engine.statistics().queries.into_iter();
    queries
        .map(|(name, counts)| (name.to_owned(), counts))
        .collect()
}

pub(super) fn backend(settings: Settings) -> Backend {
    match settings.solver {
        SolverChoice::Cadical => Backend::BitBlasting,
        SolverChoice::Z3 => Backend::Z3,
    }
}

/// Is anything reachable? Then, if it is a limit: is the error?
pub(super) fn two_rounds(engine: &mut dyn Engine, question: &Question<'_>) -> Answer {
    let &Question { task, budget, .. } = question;
    let system = &task.encoded().system;
    let mut all = system.clone();
    let limit = match engine.check(&mut all, budget) {
        Verdict::Unsafe(trace) if system.role(trace.property) == Role::Limit => trace,
        verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_)) => {
            return one_round(task, all, verdict);
        }
    };
    let (mut restricted, positions) = without_limits(system);
    match engine.check(&mut restricted, budget) {
        Verdict::Unsafe(trace) => violation(
            task,
            &Trace {
                property: positions[trace.property],
                ..trace
            },
        ),
        Verdict::Safe(_) => limited(task, limit),
        Verdict::Unknown(reason) => stopped_behind(task, &reason.to_string(), &limit),
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
pub(super) fn one_round(task: &Task, system: TransitionSystem, verdict: Verdict) -> Answer {
    match verdict {
        Verdict::Safe(proof) => Answer::Proved {
            system: Box::new(system),
            proof,
        },
        Verdict::Unknown(reason) => Answer::undecided(reason.to_string()),
        Verdict::Unsafe(trace) => match system.role(trace.property) {
            Role::Violation => violation(task, &trace),
            Role::Limit => limited(task, trace),
        },
    }
}

/// What a run of the system into a violation is for the program. One that the program does not have decides nothing.
fn violation(task: &Task, trace: &Trace) -> Answer {
    match evidence::follow(task, trace) {
        Ok(Some(run)) => Answer::Schedule(run.schedule),
        Ok(None) => Answer::undecided(evidence::LOOKS_LIKE_ADDRESS),
        Err(failure) => Answer::Fault(failure),
    }
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
