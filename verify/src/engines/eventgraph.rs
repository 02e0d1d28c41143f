//! The engine `eventgraph`.

use ::eventgraph::{Engine as EventGraph, Options, Outcome, Scheduling};

use super::symbolic::backend;
use super::{Answer, Engine, EngineInput, Question, SchedulingChoice, explicit};
use crate::evidence::LOOKS_LIKE_ADDRESS;
use crate::report::Queries;

pub(super) static EVENTGRAPH: Engine = Engine {
    name: "eventgraph",
    about: "Bounded model checking over event order graphs: finds violations, proves programs whose loops end",
    input: EngineInput::Program,
    evidence: ["a schedule", "a refutation of all orders of events"],
    memory_share: None,
    beside_others: false,
    niceness: 5,
    takes_predicates: false,
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
                SchedulingChoice::Encoded => Scheduling::Encoded,
                SchedulingChoice::Refined => Scheduling::Refined,
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
        Outcome::Limits(limits) => Answer::undecided(format!("limits {limits:?}")),
        Outcome::Unwound(bound) => Answer::undecided(format!(
            "no violation where loops are passed again {bound} times"
        )),
        Outcome::Stopped(stop, searched) => Answer::undecided(format!("{stop} {searched:?}")),
        Outcome::Stray(site) => Answer::undecided(format!(
            "undefined behaviour (access through an undefined address) at {}",
            task.place(site)
        )),
        Outcome::LooksLikeAddress => Answer::undecided(LOOKS_LIKE_ADDRESS),
        Outcome::Fault(error) => {
            Answer::Fault(crate::verdict::Failure::Internal(error.to_string()))
        }
    };
    tracing::info!(?engine.statistics, "eventgraph");
    let queries = engine.queries.queries.iter();
    let queries = queries
        .map(|(name, counts)| ((*name).to_owned(), *counts))
        .collect();
    (answer, Some(queries))
}
