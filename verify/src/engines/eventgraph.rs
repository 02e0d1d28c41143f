//! The engine `eventgraph`.

use ::eventgraph::{Engine as EventGraph, Options, Outcome, Scheduling};
use encode::properties::{Limit, describe};

use super::symbolic::{backend, named};
use super::{Answer, Engine, EngineInput, LimitReached, Question, SchedulingChoice, explicit};
use crate::evidence::LOOKS_LIKE_ADDRESS;
use crate::report::Queries;
use crate::verdict::Failure;

pub(super) static EVENTGRAPH: Engine = Engine {
    name: "eventgraph",
    about: "Bounded model checking over event order graphs: finds violations, proves programs whose loops end",
    input: EngineInput::Program,
    evidence: ["a schedule", "a refutation of all orders of events"],
    memory_share: None,
    beside_others: false,
    niceness: 5,
    takes_predicates: false,
    orders_events: true,
    writes_certificates: false,
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
    let mut engine = EventGraph::new(
        &reduced,
        &task.instances,
        task.points_to(),
        task.encode_options(),
        Options {
            unwind: settings.unwind,
            scheduling: match settings.scheduling {
                Some(SchedulingChoice::Encoded) | None => Scheduling::Encoded,
                Some(SchedulingChoice::Refined) => Scheduling::Refined,
                Some(SchedulingChoice::Clocks) => Scheduling::Clocks,
            },
            backend: backend(settings),
        },
    );
    let answer = match engine.check(budget) {
        Outcome::Violation(schedule) => match explicit::counts(task, &schedule) {
            true => Answer::Schedule(schedule),
            false => Answer::Doubted(schedule),
        },
        Outcome::Safe(refutations) => Answer::Refuted(refutations),
        Outcome::Limits(limits) => {
            let met = limits.into_iter().filter_map(|(sink, site)| {
                let limit = describe(&task.program, Limit::of(sink)?);
                let place = site.map(|site| task.place(site));
                let place = place.filter(|place| !limit.ends_with(place));
                Some(place.map_or(limit.clone(), |place| format!("{limit} at {place}")))
            });
            Answer::Beyond(met.map(LimitReached::Described).collect())
        }
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

/// What was found out where loops were not unwound further.
fn unwound(bound: u32) -> String {
    format!("no violation where the header of no loop is passed again more than {bound} times")
}
