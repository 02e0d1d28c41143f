//! The solver layer on fixed sequences of queries, with both backends.
//!
//! The terms are made before the clock starts: what is measured is translation, search, models and cores.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use solver::{Answer, Backend, Workload};
use system::budget::Budget;
use system::term::{Term, Terms};
use system::testing::{Random, fixture};
use system::transition_system::TransitionSystem;
use system::unroll::{Link, Start, Unroller};

/// What to assert, and under which assumptions to ask then.
struct Query {
    assertions: Vec<Term>,
    assumptions: Vec<Term>,
}

/// Queries over one arena.
struct Sequence {
    terms: Terms,
    queries: Vec<Query>,
    workload: Workload,
}

/// The violations within 0, 1, 2 and so on transitions, as bounded model checking asks for them.
fn growing(mut system: TransitionSystem, depth: usize) -> Sequence {
    let mut unroller = Unroller::new(Start::Initial, Link::Functional);
    let mut queries = Vec::new();
    for position in 0..=depth {
        let frame = unroller.frame(&mut system, position);
        let assertions = [&frame.entry[..], &frame.constraints].concat();
        let bad = frame.bad.clone();
        let assumptions = vec![system.terms.or_all(bad)];
        queries.push(Query {
            assertions,
            assumptions,
        });
    }
    Sequence {
        terms: system.terms,
        queries,
        workload: Workload::LongQueries,
    }
}

/// Which of some states have a predecessor, as the consecution queries of IC3 ask: thousands of short queries about one step,
/// half of them about some bits of a state only.
fn consecution(mut system: TransitionSystem, states: usize) -> Sequence {
    let mut unroller = Unroller::new(Start::Arbitrary, Link::Functional);
    let mut assertions = Vec::new();
    for position in 0..2 {
        let frame = unroller.frame(&mut system, position);
        assertions.extend(frame.entry.iter().chain(&frame.constraints).copied());
    }
    let after = unroller.frame(&mut system, 1).state.clone();
    let mut random = Random::new(1);
    let mut queries = Vec::new();
    for index in 0..states {
        let mut assumptions = Vec::new();
        for &variable in &after {
            let value = random.value(system.terms.sort(variable));
            let value = system.terms.constant(value);
            if index % 2 == 0 || random.below(2) == 0 {
                assumptions.push(system.terms.equal(variable, value));
            }
        }
        queries.push(Query {
            assertions: std::mem::take(&mut assertions),
            assumptions,
        });
    }
    Sequence {
        terms: system.terms,
        queries,
        workload: Workload::ShortQueries,
    }
}

/// Asks all; the number of satisfiable ones and the sizes of all cores.
fn ask(sequence: &Sequence, backend: Backend) -> (usize, usize) {
    let mut solver = backend.solver(&Budget::unlimited(), sequence.workload);
    let (mut satisfiable, mut blamed) = (0, 0);
    for query in &sequence.queries {
        for &assertion in &query.assertions {
            solver.assert(&sequence.terms, assertion);
        }
        match solver.check(&sequence.terms, &query.assumptions) {
            Answer::Sat(_) => satisfiable += 1,
            Answer::Unsat(core) => blamed += core.len(),
            Answer::Unknown(reason) => unreachable!("there is no limit: {reason}"),
        }
    }
    (satisfiable, blamed)
}

fn solvers(criterion: &mut Criterion) {
    let sequences = [
        ("lost update, 20 steps", growing(fixture("lost_update"), 20)),
        ("peterson, 20 steps", growing(fixture("peterson"), 20)),
        (
            "products, 20 steps",
            growing(fixture("powers_of_three"), 20),
        ),
        ("quotients, 20 steps", growing(fixture("euclid"), 20)),
        (
            "ticket lock, consecution",
            consecution(fixture("ticket_lock"), 1000),
        ),
        ("square, consecution", consecution(fixture("square"), 1000)),
    ];
    let mut group = criterion.benchmark_group("solvers");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(2));
    for (name, sequence) in &sequences {
        for backend in Backend::ALL {
            let id = BenchmarkId::new(*name, format!("{backend:?}"));
            group.bench_function(id, |bencher| {
                bencher.iter(|| black_box(ask(sequence, backend)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, solvers);
criterion_main!(benches);
