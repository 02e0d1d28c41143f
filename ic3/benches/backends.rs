//! Bit-blasting against Z3 on the queries of bounded model checking.

#[path = "systems/threads.rs"]
mod threads;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ic3::{Bmc, BmcOptions, Engine};
use solver::Backend;
use system::budget::Budget;
use system::transition_system::{TransitionSystem, Verdict};

/// Systems, and how deep to look: violations, proofs that there is none so far, and sheer size.
fn systems() -> Vec<(&'static str, TransitionSystem, usize)> {
    vec![
        (
            "lost update, 2 threads x 3",
            threads::increments(2, 3, false),
            18,
        ),
        ("locked, 2 threads x 2", threads::increments(2, 2, true), 20),
        ("locked, 3 threads x 2", threads::increments(3, 2, true), 16),
        (
            "locked, 20 threads x 40",
            threads::increments(20, 40, true),
            12,
        ),
        ("fibonacci 6, reachable", threads::fibonacci(6, true), 12),
        ("fibonacci 6, unreachable", threads::fibonacci(6, false), 12),
    ]
}

fn bounded_model_checking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bmc");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    for (name, system, depth) in systems() {
        for backend in Backend::ALL {
            let id = BenchmarkId::new(name, format!("{backend:?}"));
            group.bench_function(id, |bencher| {
                bencher.iter_with_setup(
                    || system.clone(),
                    |mut system| black_box(check(&mut system, backend, depth)),
                );
            });
        }
    }
    group.finish();
}

fn check(system: &mut TransitionSystem, backend: Backend, depth: usize) -> Verdict {
    let options = BmcOptions {
        depth,
        backend,
        ..BmcOptions::default()
    };
    Bmc::new(options).check(system, &Budget::unlimited())
}

criterion_group!(benches, bounded_model_checking);
criterion_main!(benches);
