//! The engine `modular`.

use ::modular::{Modular, Options};
use solver::QueryStatistics;
use system::budget::Budget;
use system::transition_system::{TransitionSystem, Verdict};

use super::symbolic::{backend, queries, two_rounds};
use super::{Answer, Engine, EngineInput, Question, ScopeChoice};
use crate::report::Queries;
use crate::task::Task;

pub(super) static MODULAR: Engine = Engine {
    name: "modular",
    about: "Predicate abstraction of each thread with what the others may do: proves thread by thread, and refutes",
    input: EngineInput::System,
    evidence: ["a run of the system", "an inductive invariant"],
    memory_share: None,
    niceness: 10,
    takes_predicates: false,
    orders_events: false,
    takes_scope: true,
    for_any_number: true,
    for_infinite_runs: true,
    shows_own_run: true,
    run,
};

fn run(question: &Question<'_>) -> (Answer, Option<Queries>) {
    let mut engine = OfTask {
        task: question.task,
        engine: Modular::new(Options {
            backend: backend(question.settings),
            modular_first: match question.settings.scope {
                Some(ScopeChoice::Own) | None => true,
                Some(ScopeChoice::All) => false,
            },
        }),
    };
    let answer = two_rounds(&mut engine, question);
    if let Answer::Proved { .. } = answer {
        let looks_into_others = engine.engine.statistics().looks_into_others;
        let found = match looks_into_others {
            true => "a proof that looks into other threads",
            false => "a modular proof",
        };
        question.progress.found(MODULAR.name, found);
    }
    (answer, Some(queries(&engine)))
}

/// The engine for the systems of a task, of which it knows the threads.
struct OfTask<'a> {
    task: &'a Task,
    engine: Modular,
}

impl ic3::Engine for OfTask<'_> {
    fn name(&self) -> &'static str {
        MODULAR.name
    }

    fn check(&mut self, system: &mut TransitionSystem, budget: &Budget) -> Verdict {
        match self.task.encoded().threaded(system.clone(), budget) {
            Ok(mut threaded) => {
                let verdict = self.engine.check(&mut threaded, budget);
                *system = threaded.system;
                verdict
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    fn statistics(&self) -> QueryStatistics {
        self.engine.queries().clone()
    }
}
