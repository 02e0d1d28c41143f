//! Engines on random systems against an explicit-state search, and on systems whose verdicts are known.

use std::thread;
use std::time::Duration;

use ic3::{
    Bmc, BmcOptions, Ctigar, CtigarOptions, Engine, KInduction, KInductionOptions, Precision,
    SimplePath,
};
use solver::Backend;
use system::budget::Budget;
use system::term::{Term, Terms};
use system::testing::{Random, random_system, shortest_violation};
use system::transition_system::{Proof, Property, Reason, Role, Verdict};
use system::unroll::Link;

use crate::evidence::{run, violation};
use crate::systems::{
    constant_sum, counter, factoring, mutual_exclusion, odd_beside_half, unreachable_by_parity,
};

fn bmc_variants() -> Vec<BmcOptions> {
    let options = |step, backend, link| BmcOptions {
        depth: 24,
        step,
        backend,
        link,
        properties: None,
        behind_limits: false,
    };
    vec![
        options(1, Backend::BitBlasting, Link::Functional),
        options(3, Backend::BitBlasting, Link::Functional),
        options(1, Backend::BitBlasting, Link::Fresh),
        options(2, Backend::Z3, Link::Functional),
    ]
}

#[test]
fn bmc_finds_the_shortest_violations_of_random_systems() {
    let mut counts = [0; 3];
    for seed in 0..150 {
        let system = random_system(&mut Random::new(seed));
        let expected = shortest_violation(&system);
        for options in bmc_variants() {
            let found =
                run(&mut Bmc::new(options.clone()), &system, seed % 10 == 0).map(Result::err);
            match found {
                Ok(found) => assert_eq!(found, expected, "seed {seed}, {options:?}"),
                Err(Reason::Depth(24)) => {
                    assert!(expected.is_none_or(|(_, depth)| depth > 24), "seed {seed}")
                }
                Err(reason) => panic!("seed {seed}, {options:?}: {reason}"),
            }
            counts[match found {
                Ok(Some(_)) => 0,
                Ok(None) => 1,
                Err(_) => 2,
            }] += 1;
        }
    }
    assert!(
        counts.iter().all(|count| *count >= 12),
        "all outcomes occur: {counts:?}"
    );
}

#[test]
fn k_induction_agrees_with_explicit_search_on_random_systems() {
    let (mut decided, mut undecided) = ([0; 2], 0);
    for seed in 0..150 {
        let system = random_system(&mut Random::new(seed));
        let expected = shortest_violation(&system);
        for (simple_path, link) in [
            (SimplePath::Off, Link::Functional),
            (SimplePath::Lazy, Link::Functional),
            (SimplePath::Full, Link::Fresh),
        ] {
            let options = KInductionOptions {
                depth: 12,
                simple_path,
                link,
                ..KInductionOptions::default()
            };
            match run(&mut KInduction::new(options), &system, seed % 10 == 0).map(Result::err) {
                Ok(found) => {
                    assert_eq!(found, expected, "seed {seed}, {simple_path:?}");
                    decided[usize::from(found.is_some())] += 1;
                }
                Err(Reason::Depth(12)) => undecided += 1,
                Err(reason) => panic!("seed {seed}, {simple_path:?}: {reason}"),
            }
        }
    }
    assert!(
        decided[0] > 60 && decided[1] > 60,
        "{decided:?} decided, {undecided} not"
    );
}

/// Without bounds every random system is decided.
#[test]
fn ctigar_agrees_with_explicit_search_on_random_systems() {
    let mut counts = [0; 2];
    for seed in 0..150 {
        let system = random_system(&mut Random::new(seed));
        let expected = shortest_violation(&system).is_some();
        for (precision, max_spurious, backend) in [
            (Precision::Atoms, 0, Backend::BitBlasting),
            (Precision::Atoms, 2, Backend::BitBlasting),
            (Precision::Atoms, usize::MAX, Backend::BitBlasting),
            (Precision::Exact, 0, Backend::Z3),
        ] {
            let options = CtigarOptions {
                precision,
                max_spurious,
                backend,
                ..CtigarOptions::default()
            };
            let found = run(&mut Ctigar::new(options.clone()), &system, seed % 10 == 0);
            let found = found.map(|found| found.is_err());
            assert_eq!(found, Ok(expected), "seed {seed}, {options:?}");
        }
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 40), "{counts:?}");
}

#[test]
fn bmc_finds_known_violations() {
    for options in bmc_variants() {
        assert_eq!(
            violation(&mut Bmc::new(options.clone()), &counter(17, None)),
            Ok(Some((0, 17)))
        );
        assert_eq!(
            violation(&mut Bmc::new(options.clone()), &counter(25, None)),
            Err(Reason::Depth(24))
        );
        assert_eq!(
            violation(&mut Bmc::new(options), &mutual_exclusion(false)),
            Ok(Some((0, 4)))
        );
    }
}

/// A counter that stops at 9 has runs of 9 transitions and no longer ones.
#[test]
fn bmc_proves_what_it_has_exhausted() {
    for options in bmc_variants() {
        let mut system = counter(100, Some(9));
        let verdict = Bmc::new(options.clone()).check(&mut system, &Budget::unlimited());
        let Verdict::Safe(Proof::Exhausted { depth }) = verdict else {
            panic!("{verdict:?} of {options:?}");
        };
        assert!(
            (9..9 + options.step).contains(&depth),
            "{depth} of {options:?}"
        );
    }
}

#[test]
fn a_system_without_initial_states_is_safe() {
    let mut system = counter(0, None);
    let no = system.terms.bool(false);
    system.initial_constraints.push(no);
    for options in bmc_variants() {
        assert_eq!(violation(&mut Bmc::new(options), &system), Ok(None));
    }
    assert_eq!(
        violation(&mut KInduction::new(KInductionOptions::default()), &system),
        Ok(None)
    );
}

#[test]
fn properties_can_be_left_out_but_then_nothing_is_proved() {
    let mut system = counter(100, Some(9));
    let three = system.terms.bits(8, 3);
    let bad = system.terms.equal(system.state[0].current, three);
    system.properties.push(Property {
        name: "early".to_owned(),
        role: Role::Violation,
        bad,
    });
    let only = |properties| BmcOptions {
        properties: Some(properties),
        ..BmcOptions::default()
    };
    assert_eq!(
        violation(&mut Bmc::new(BmcOptions::default()), &system),
        Ok(Some((1, 3)))
    );
    assert_eq!(
        violation(&mut Bmc::new(only(vec![1])), &system),
        Ok(Some((1, 3)))
    );
    assert!(matches!(
        violation(&mut Bmc::new(only(vec![0])), &system),
        Err(Reason::NotApplicable(_))
    ));
    assert!(matches!(
        violation(&mut Bmc::new(only(vec![2])), &system),
        Err(Reason::NotApplicable(_))
    ));
}

/// The counter passes 3, which is a limit; the error lies behind it, or nowhere.
#[test]
fn violations_are_looked_for_behind_limits() {
    for (error_at, maximum, expected) in [
        (7, Some(9), Ok(Some((0, 7)))),
        (3, Some(9), Ok(Some((0, 3)))),
        (100, Some(9), Ok(Some((1, 3)))),
        (100, None, Err(Reason::Depth(24))),
    ] {
        let mut system = counter(error_at, maximum);
        for value in [3, 4] {
            let limit = system.terms.bits(8, value);
            let bad = system.terms.equal(system.state[0].current, limit);
            system.properties.push(Property {
                name: "limit".to_owned(),
                role: Role::Limit,
                bad,
            });
        }
        for options in bmc_variants() {
            let options = BmcOptions {
                behind_limits: true,
                ..options
            };
            let found = violation(&mut Bmc::new(options.clone()), &system);
            assert_eq!(found, expected, "{options:?}");
        }
    }
}

#[test]
fn progress_and_statistics_are_reported() {
    let (sender, depths) = std::sync::mpsc::channel();
    let options = BmcOptions {
        depth: 4,
        ..BmcOptions::default()
    };
    let mut engine =
        Bmc::new(options).on_progress(move |depth| sender.send(depth).expect("somebody listens"));
    assert_eq!(
        violation(&mut engine, &counter(9, None)),
        Err(Reason::Depth(4))
    );
    let statistics = engine.statistics();
    drop(engine);
    assert_eq!(depths.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(statistics.queries["violation within bound"].unsat, 5);
    assert_eq!(statistics.queries["longer run"].sat, 5);
    assert_eq!(statistics.total().count(), 10);
    assert!(
        serde_json::to_string(&statistics)
            .expect("a map of numbers")
            .contains("\"longer run\":{\"sat\":5")
    );
}

#[test]
fn k_induction_proves_an_inductive_property_by_an_invariant() {
    let found = violation(
        &mut KInduction::new(KInductionOptions::default()),
        &mutual_exclusion(true),
    );
    assert_eq!(found, Ok(None));
}

/// The bad state has unreachable predecessors in a cycle: without simple paths no depth suffices.
#[test]
fn simple_paths_make_induction_complete() {
    let system = unreachable_by_parity();
    let with = |simple_path| KInductionOptions {
        depth: 40,
        simple_path,
        ..KInductionOptions::default()
    };
    assert_eq!(
        violation(&mut KInduction::new(with(SimplePath::Off)), &system),
        Err(Reason::Depth(40))
    );
    assert_eq!(
        violation(&mut KInduction::new(with(SimplePath::Lazy)), &system),
        Ok(None)
    );
    assert_eq!(
        violation(&mut KInduction::new(with(SimplePath::Full)), &system),
        Ok(None)
    );
}

#[test]
fn an_auxiliary_invariant_strengthens_induction_only_if_it_is_inductive() {
    let mut system = unreachable_by_parity();
    let x = system.state[0].current;
    let lowest = system.terms.extract(0, 0, x);
    let odd = system.terms.bit_to_bool(lowest);
    let even = system.terms.not(odd);
    let with = |invariant| KInductionOptions {
        depth: 3,
        simple_path: SimplePath::Off,
        invariant: Some(invariant),
        ..KInductionOptions::default()
    };
    assert_eq!(
        violation(&mut KInduction::new(with(even)), &system),
        Ok(None)
    );
    assert!(matches!(
        violation(&mut KInduction::new(with(odd)), &system),
        Err(Reason::NotApplicable(_))
    ));
    let small = small_value(&mut system.terms, x);
    assert!(matches!(
        violation(&mut KInduction::new(with(small)), &system),
        Err(Reason::NotApplicable(_))
    ));
}

/// Holds initially and is not preserved.
fn small_value(terms: &mut Terms, x: Term) -> Term {
    let bound = terms.bits(terms.width(x), 4);
    terms.unsigned_less(x, bound)
}

fn engines(backend: Backend) -> [Box<dyn Engine>; 2] {
    [
        Box::new(Bmc::new(BmcOptions {
            backend,
            ..BmcOptions::default()
        })),
        Box::new(KInduction::new(KInductionOptions {
            backend,
            ..KInductionOptions::default()
        })),
    ]
}

/// They would not end if nothing stopped them.
#[test]
fn engines_are_cancelled() {
    for mut engine in Backend::ALL.into_iter().flat_map(engines) {
        let budget = Budget::unlimited();
        let canceller = budget.clone();
        let verdict = thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(300));
                canceller.cancel();
            });
            engine.check(&mut factoring(), &budget)
        });
        assert_eq!(
            verdict,
            Verdict::Unknown(Reason::Cancelled),
            "{}",
            engine.name()
        );
    }
}

#[test]
fn limits_are_verdicts_that_name_them() {
    for mut engine in Backend::ALL.into_iter().flat_map(engines) {
        let limit = Duration::from_millis(300);
        let time = Budget::unlimited().with_time(limit);
        assert_eq!(
            engine.check(&mut factoring(), &time),
            Verdict::Unknown(Reason::Time(limit))
        );
        let memory = Budget::unlimited().with_memory(1);
        assert_eq!(
            engine.check(&mut factoring(), &memory),
            Verdict::Unknown(Reason::Memory(1))
        );
    }
}

/// What takes IC3 many lemmas follows from one equality that is found before.
#[test]
fn affine_equalities_prove_at_once() {
    for system in [constant_sum(), odd_beside_half()] {
        let mut engine = Ctigar::new(CtigarOptions {
            precision: Precision::Affine,
            ..CtigarOptions::default()
        });
        assert!(matches!(
            run(&mut engine, &system, true),
            Ok(Ok(Proof::Inductive(_)))
        ));
        let queries = engine.statistics().queries;
        assert!(queries["affine consecution"].unsat > 0 && !queries.contains_key("consecution"));
    }
}
