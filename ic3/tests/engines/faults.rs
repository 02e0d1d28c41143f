//! What engines make of solvers that give up or go wrong: never a verdict.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ic3::{
    Bmc, BmcOptions, Ctigar, CtigarOptions, Engine, KInduction, KInductionOptions, NewSolver,
    Precision,
};
use solver::{Answer, Backend, Model, Scopes, Solver, Valuation, Workload};
use system::budget::Budget;
use system::eval::check_trace;
use system::term::{Node, Term, Terms, Value};
use system::testing::{Random, random_system, shortest_violation};
use system::transition_system::{Reason, TransitionSystem, Verdict};

use crate::systems::{counter, mutual_exclusion, unreachable_by_parity};

/// What the faulty solver does instead of answering.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Answers unknown.
    GivesUp,
    /// Answers satisfiable, with a model in which every variable is zero.
    InventsModel,
}

/// A solver in which one query, counted over all solvers of an engine, goes wrong.
struct Faulty {
    solver: Box<dyn Scopes>,
    queries_before_fault: Arc<AtomicUsize>,
    fault: Fault,
    zeros: Zeros,
}

struct Zeros;

impl Valuation for Zeros {
    fn lookup(&mut self, terms: &Terms, term: Term) -> Option<Value> {
        matches!(terms.node(term), Node::Symbol(_)).then(|| Value::zero(terms.sort(term)))
    }
}

impl Solver for Faulty {
    fn assert(&mut self, terms: &Terms, term: Term) {
        self.solver.assert(terms, term);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer<'_> {
        let left =
            self.queries_before_fault
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                });
        match (left, self.fault) {
            (Ok(_), _) => self.solver.check(terms, assumptions),
            (Err(_), Fault::GivesUp) => Answer::Unknown(Reason::Solver("too hard".to_owned())),
            (Err(_), Fault::InventsModel) => Answer::Sat(Model::new(&mut self.zeros)),
        }
    }
}

impl Scopes for Faulty {
    fn push(&mut self) {
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
    }
}

/// Solvers that fail for good after some queries.
fn failing_after(queries: usize, fault: Fault) -> NewSolver {
    let queries_before_fault = Arc::new(AtomicUsize::new(queries));
    Box::new(move |budget| {
        Box::new(Faulty {
            solver: Backend::BitBlasting.solver(budget, Workload::LongQueries),
            queries_before_fault: Arc::clone(&queries_before_fault),
            fault,
            zeros: Zeros,
        })
    })
}

fn engines(queries: usize, fault: Fault) -> [Box<dyn Engine>; 4] {
    let bmc = Bmc::new(BmcOptions {
        depth: 30,
        ..BmcOptions::default()
    });
    let kind = KInduction::new(KInductionOptions {
        depth: 30,
        ..KInductionOptions::default()
    });
    let ctigar = Ctigar::new(CtigarOptions::default());
    let affine = Ctigar::new(CtigarOptions {
        precision: Precision::Affine,
        ..CtigarOptions::default()
    });
    [
        Box::new(bmc.with_solvers(failing_after(queries, fault))),
        Box::new(kind.with_solvers(failing_after(queries, fault))),
        Box::new(ctigar.with_solvers(failing_after(queries, fault))),
        Box::new(affine.with_solvers(failing_after(queries, fault))),
    ]
}

fn check(engine: &mut dyn Engine, system: &TransitionSystem) -> Verdict {
    engine.check(&mut system.clone(), &Budget::unlimited())
}

/// Lets every query fail in turn: the verdict is unknown with the solver's reason until none fails.
#[test]
fn an_unknown_answer_is_an_unknown_verdict() {
    for system in [
        counter(5, None),
        counter(20, Some(5)),
        mutual_exclusion(true),
        unreachable_by_parity(),
    ] {
        for which in 0..4 {
            let expected = check(&mut *engines(usize::MAX, Fault::GivesUp)[which], &system);
            if let Verdict::Unknown(reason) = &expected {
                assert_eq!(*reason, Reason::Depth(30), "engine {which}");
            }
            let mut failed = 0;
            loop {
                let verdict = check(&mut *engines(failed, Fault::GivesUp)[which], &system);
                if verdict == expected {
                    break;
                }
                assert_eq!(
                    verdict,
                    Verdict::Unknown(Reason::Solver("too hard".to_owned())),
                    "query {failed}"
                );
                failed += 1;
            }
            let queries: u64 = {
                let mut engines = engines(usize::MAX, Fault::GivesUp);
                check(&mut *engines[which], &system);
                engines[which].statistics().total().count()
            };
            assert_eq!(failed as u64, queries, "every query matters");
        }
    }
}

#[test]
fn an_invented_model_is_no_violation() {
    let mut rejected = 0;
    for seed in 0..100 {
        let system = random_system(&mut Random::new(seed));
        let expected = shortest_violation(&system);
        for queries in 0..6 {
            for mut engine in engines(queries, Fault::InventsModel) {
                match check(&mut *engine, &system) {
                    Verdict::Unsafe(trace) => {
                        assert_eq!(check_trace(&system, &trace), Ok(()));
                        assert!(expected.is_some(), "seed {seed}");
                    }
                    Verdict::Safe(_) => assert_eq!(expected, None, "seed {seed}"),
                    Verdict::Unknown(Reason::Solver(reason)) => {
                        assert!(reason.starts_with("wrong "), "seed {seed}: {reason}");
                        rejected += 1;
                    }
                    Verdict::Unknown(_) => {}
                }
            }
        }
    }
    assert!(rejected > 100, "{rejected} models were rejected");
}
