//! The engine `bmc`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ic3::{Bmc, BmcOptions};
use system::transition_system::Reason;

use super::symbolic::{backend, despite_strays, one_round, queries, stopped_behind};
use super::{Answer, Engine, EngineInput, Question};
use crate::report::Queries;

pub(super) static BMC: Engine = Engine {
    name: "bmc",
    about: "Bounded model checking: finds violations, proves only programs whose runs all end",
    input: EngineInput::System,
    evidence: ["a run of the system", "no run is longer"],
    memory_share: None,
    niceness: 5,
    takes_predicates: false,
    orders_events: false,
    takes_scope: false,
    for_any_number: false,
    for_infinite_runs: true,
    shows_own_run: true,
    run,
};

fn run(question: &Question<'_>) -> (Answer, Option<Queries>) {
    let &Question {
        task,
        settings,
        budget,
        progress,
        ..
    } = question;
    let deepest = Arc::new(AtomicUsize::new(0));
    let mut engine = Bmc::new(BmcOptions {
        depth: settings.depth.unwrap_or(usize::MAX),
        backend: backend(settings),
        behind_limits: true,
        ..BmcOptions::default()
    })
    .on_progress({
        let (deepest, progress) = (deepest.clone(), progress.clone());
        move |depth| {
            deepest.fetch_max(depth, Ordering::Relaxed);
            progress.found(BMC.name, &format!("no violation up to depth {depth}"));
        }
    });
    let mut answer = despite_strays(task, |system| {
        let mut system = system.clone();
        let verdict = ic3::Engine::check(&mut engine, &mut system, budget);
        one_round(task, system, verdict)
    });
    let stopped = matches!(
        budget.exhausted(),
        Some(Reason::Time(_) | Reason::Memory(_))
    );
    let deepest = deepest.load(Ordering::Relaxed);
    if stopped && deepest > 0 && !answer.is_conclusive() {
        answer = Answer::undecided(format!("no violation up to depth {deepest}"));
    }
    if let (Answer::Undecided { reason, .. }, Some(limit)) = (&answer, engine.limit()) {
        answer = stopped_behind(task, reason, limit);
    }
    (answer, Some(queries(&engine)))
}
