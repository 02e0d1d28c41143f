//! The engine `kind`.

use ic3::{KInduction, KInductionOptions};

use super::symbolic::{backend, queries, two_rounds};
use super::{Answer, Engine, EngineInput, Question};
use crate::report::Queries;

pub(super) static KIND: Engine = Engine {
    name: "kind",
    about: "k-induction: proves and refutes",
    input: EngineInput::System,
    evidence: ["a run of the system", "k-induction"],
    memory_share: None,
    niceness: 10,
    takes_predicates: false,
    orders_events: false,
    takes_scope: false,
    for_any_number: false,
    for_infinite_runs: true,
    shows_own_run: true,
    run,
};

fn run(question: &Question<'_>) -> (Answer, Option<Queries>) {
    let settings = question.settings;
    let mut engine = KInduction::new(KInductionOptions {
        depth: settings.depth.unwrap_or(usize::MAX),
        backend: backend(settings),
        ..KInductionOptions::default()
    });
    let answer = two_rounds(&mut engine, question);
    (answer, Some(queries(&engine)))
}
