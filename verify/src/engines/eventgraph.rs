//! The engine `eventgraph`.

use ::eventgraph::{
    Claim, ClaimError, Engine as EventGraph, Options, Outcome, Refutation, Scheduling, Searched,
};
use abi::schedule::Schedule;
use encode::properties::{Limit, describe};
use encode::semantics::sink::Sink;
use program::model::Program;
use system::budget::Budget;

use super::symbolic::{backend, named};
use super::{Answer, Engine, EngineInput, LimitReached, Question, SchedulingChoice, explicit};
use crate::evidence::{LOOKS_LIKE_ADDRESS, describe_limit_of};
use crate::report::Queries;
use crate::task::Task;
use crate::verdict::Failure;

pub(super) static EVENTGRAPH: Engine = Engine {
    name: "eventgraph",
    about: "Bounded model checking over event order graphs: finds violations, proves programs whose loops end or wait",
    input: EngineInput::Program,
    evidence: ["a schedule", "a refutation of all orders of events"],
    memory_share: None,
    niceness: 0,
    takes_predicates: false,
    orders_events: true,
    takes_scope: false,
    for_any_number: false,
    for_infinite_runs: false,
    shows_own_run: false,
    run,
};

fn run(question: &Question<'_>) -> (Answer, Option<Queries>) {
    let &Question {
        task,
        settings,
        budget,
        ..
    } = question;
    let reduced = task.statically_reduced();
    let options = Options {
        unwind: settings.unwind,
        scheduling: match settings.scheduling {
            Some(SchedulingChoice::Encoded) | None => Scheduling::Encoded,
            Some(SchedulingChoice::Refined) => Scheduling::Refined,
            Some(SchedulingChoice::Pairs) => Scheduling::Pairs,
            Some(SchedulingChoice::Clocks) => Scheduling::Clocks,
            Some(SchedulingChoice::Blocks) => Scheduling::Blocks,
        },
        backend: backend(settings),
    };
    let mut engine = engine(task, &reduced, options);
    let found = |bound| question.progress.found(EVENTGRAPH.name, &unwound(bound));
    let answer = match engine.check(budget, &found) {
        Outcome::Violation(schedule) => match explicit::counts(task, &schedule) {
            true => Answer::Schedule(schedule),
            false => Answer::Doubted(schedule),
        },
        Outcome::Safe(claim, refutations) => Answer::Refuted(claim, refutations),
        Outcome::Limits(limits) => beyond(task, &limits),
        Outcome::Unwound(bound) => Answer::undecided(unwound(bound)),
        Outcome::Stopped(_, searched) => Answer::undecided(match searched {
            Some(bound) => unwound(bound),
            None => "nothing was found out".to_owned(),
        }),
        Outcome::Stray(site) => Answer::undecided(format!(
            "undefined behaviour (access through an undefined address) at {}",
            task.place(site)
        )),
        Outcome::LooksLikeAddress => Answer::undecided(LOOKS_LIKE_ADDRESS),
        Outcome::Fault(error) => Answer::Fault(Failure::Internal(error.to_string())),
    };
    tracing::info!(?engine.statistics, "eventgraph");
    (answer, Some(named(&engine.queries)))
}

fn engine<'a>(task: &'a Task, reduced: &'a Program, options: Options) -> EventGraph<'a> {
    let (points_to, encoding) = (task.points_to(), task.encode_options());
    EventGraph::new(reduced, &task.instances, points_to, encoding, options)
}

/// The formulas of a proof that was kept.
///
/// # Errors
/// The proof is about another program, or the budget is exhausted.
pub(crate) fn refutations(
    task: &Task,
    claim: &Claim,
    budget: &Budget,
) -> Result<Vec<Refutation>, ClaimError> {
    let reduced = task.statically_reduced();
    engine(task, &reduced, Options::default()).refutations(claim, budget)
}

/// No run violates anything within limits. Behind those of the encoding the program goes on, and nothing is known of that; nor where no
/// run of the program was seen to come to a limit of its own.
fn beyond(task: &Task, limits: &[(Sink, Option<Schedule>)]) -> Answer {
    let (mut met, mut others) = (Vec::new(), Vec::new());
    for (sink, schedule) in limits {
        let Some(limit) = Limit::of(*sink) else {
            continue;
        };
        let seen = schedule
            .as_ref()
            .filter(|_| matches!(limit, Limit::Program(_)));
        match seen.and_then(|schedule| describe_limit_of(task, schedule)) {
            Some(text) => met.push(text),
            None => others.push(describe(&task.program, limit)),
        }
    }
    match others.is_empty() {
        true => Answer::Beyond(met.into_iter().map(LimitReached::Described).collect()),
        false => Answer::Undecided {
            reason: others.join(", "),
            met,
        },
    }
}

/// What was found out where loops were not unwound further.
fn unwound(runs: Searched) -> String {
    let Searched {
        bound,
        within_limits,
    } = runs;
    let limits = match within_limits {
        true => " and no other limit is met",
        false => "",
    };
    format!(
        "no violation where the header of no loop is passed again more than {bound} times{limits}"
    )
}
