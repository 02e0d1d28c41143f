//! The engines `ic3` and `ic3-exact`.

use ic3::{Ctigar, CtigarOptions, Precision};

use super::symbolic::{backend, queries, two_rounds};
use super::{Answer, Engine, EngineInput, PredicateChoice, Question};
use crate::report::Queries;
use crate::task::UNLIKE;

pub(super) static IC3: Engine = Engine {
    name: "ic3",
    about: "IC3 over predicates (CTIGAR), which are refined: proves and refutes, without a bound on loops",
    input: EngineInput::System,
    evidence: ["a run of the system", "an inductive invariant"],
    memory_share: None,
    niceness: 0,
    takes_predicates: true,
    orders_events: false,
    takes_scope: false,
    for_any_number: true,
    for_infinite_runs: true,
    shows_own_run: true,
    run: |question| {
        let precision = match question.settings.predicates {
            Some(PredicateChoice::Exact) => Precision::Exact,
            Some(PredicateChoice::Affine) | None => Precision::Affine,
            Some(PredicateChoice::Atoms) => Precision::Atoms,
        };
        run(question, precision)
    },
};

pub(super) static IC3_EXACT: Engine = Engine {
    name: "ic3-exact",
    about: "The same with all bits of the state as predicates from the start",
    input: EngineInput::System,
    evidence: ["a run of the system", "an inductive invariant"],
    memory_share: None,
    niceness: 0,
    takes_predicates: false,
    orders_events: false,
    takes_scope: false,
    for_any_number: false,
    for_infinite_runs: true,
    shows_own_run: true,
    run: |question| run(question, Precision::Exact),
};

fn run(question: &Question<'_>, precision: Precision) -> (Answer, Option<Queries>) {
    let settings = question.settings;
    let Some(families) = question.task.encoded().families() else {
        return (Answer::undecided(UNLIKE), None);
    };
    // What is known of these threads alone need not hold of others.
    let precision = match families.is_empty() {
        true => precision,
        false => Precision::Atoms,
    };
    let mut engine = Ctigar::new(CtigarOptions {
        precision,
        backend: backend(settings),
        max_spurious: settings.max_spurious,
        families,
    });
    let answer = two_rounds(&mut engine, question);
    (answer, Some(queries(&engine)))
}
