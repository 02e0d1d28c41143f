//! Whole engines over fixtures, and what each kind of query takes in runs of IC3 over predicates.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use ic3::{
    Bmc, BmcOptions, Ctigar, CtigarOptions, Engine, KInduction, KInductionOptions, Precision,
};
use solver::QueryStatistics;
use system::budget::Budget;
use system::testing::fixture;
use system::transition_system::{TransitionSystem, Verdict};

/// Relations, threads and arithmetic, safe and unsafe.
const FIXTURES: [&str; 8] = [
    "buffer",
    "dekker",
    "not_overtaken",
    "square",
    "ticket_lock",
    "bakery_without_choosing",
    "counter_enabled",
    "two_clocks",
];

/// Safe systems for which IC3 has to generalise and to refine.
const GENERALISED: [&str; 4] = ["bakery", "buffer", "dekker", "ticket_lock"];

/// How deep the bounded engines look.
const DEPTH: usize = 25;

fn ctigar(precision: Precision) -> Ctigar {
    Ctigar::new(CtigarOptions {
        precision,
        ..CtigarOptions::default()
    })
}

fn engines() -> [Box<dyn Engine>; 4] {
    let bmc = BmcOptions {
        depth: DEPTH,
        ..BmcOptions::default()
    };
    let kind = KInductionOptions {
        depth: DEPTH,
        ..KInductionOptions::default()
    };
    [
        Box::new(Bmc::new(bmc)),
        Box::new(KInduction::new(kind)),
        Box::new(ctigar(Precision::Atoms)),
        Box::new(ctigar(Precision::Exact)),
    ]
}

fn run(engine: &mut dyn Engine, system: &TransitionSystem) -> Verdict {
    engine.check(&mut system.clone(), &Budget::unlimited())
}

/// Few samples: a run takes up to a second.
fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(2));
    group
}

fn whole_engines(criterion: &mut Criterion) {
    let mut group = group(criterion, "engines");
    for name in FIXTURES {
        let system = fixture(name);
        for mut engine in engines() {
            let id = BenchmarkId::new(name, engine.name());
            group.bench_function(id, |bencher| {
                bencher.iter(|| black_box(run(engine.as_mut(), &system)));
            });
        }
    }
    group.finish();
}

/// The time that the queries of each kind take in a run: consecution is where lemmas are generalised, lifting where
/// predecessors are.
fn queries_of_ic3(criterion: &mut Criterion) {
    let mut group = group(criterion, "queries of ic3");
    for name in GENERALISED {
        let system = fixture(name);
        for kind in statistics(&system).queries.into_keys() {
            group.bench_function(BenchmarkId::new(name, kind), |bencher| {
                bencher.iter_custom(|runs| {
                    let seconds = |_| statistics(&system).queries[kind].seconds;
                    Duration::from_secs_f64((0..runs).map(seconds).sum())
                });
            });
        }
    }
    group.finish();
}

/// The queries of one run.
fn statistics(system: &TransitionSystem) -> QueryStatistics {
    let mut engine = ctigar(Precision::Atoms);
    black_box(run(&mut engine, system));
    engine.statistics()
}

criterion_group!(benches, whole_engines, queries_of_ic3);
criterion_main!(benches);
