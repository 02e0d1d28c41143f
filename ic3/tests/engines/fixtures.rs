//! The fixtures of `system`: files with their expected verdicts.

use ic3::{
    Bmc, BmcOptions, Ctigar, CtigarOptions, Engine, KInduction, KInductionOptions, Precision,
};
use solver::Backend;
use system::budget::Budget;
use system::testing::fixtures;
use system::transition_system::Reason;

use crate::evidence::violation;

/// Every engine below is asked about all of them.
#[test]
fn at_least_sixty_fixtures_are_found_of_both_kinds() {
    let fixtures = fixtures();
    let violated = fixtures
        .iter()
        .filter(|fixture| fixture.violation.is_some())
        .count();
    let safe = fixtures.len() - violated;
    assert!(
        fixtures.len() >= 60 && safe >= 25 && violated >= 25,
        "{safe} safe and {violated} violated ones"
    );
}

/// Finds every violation at its depth, and none in safe systems.
#[test]
fn bmc_decides_unsafe_fixtures() {
    for fixture in fixtures() {
        for backend in Backend::ALL {
            let depth = fixture.violation.unwrap_or(5);
            let options = BmcOptions {
                depth,
                backend,
                ..BmcOptions::default()
            };
            let found = violation(&mut Bmc::new(options), &fixture.system);
            let found = found.map(|found| found.map(|(_, depth)| depth));
            let none =
                fixture.violation.is_none() && matches!(found, Ok(None) | Err(Reason::Depth(5)));
            assert!(
                none || found == Ok(fixture.violation),
                "{}: {found:?} by {backend:?}",
                fixture.name
            );
        }
    }
}

/// Leaves open violations that are too deep and an induction that needs too many states; its proofs hold for a separate solver.
#[test]
fn k_induction_decides_most_fixtures() {
    let mut undecided = Vec::new();
    for fixture in fixtures() {
        let options = KInductionOptions {
            depth: 25,
            ..KInductionOptions::default()
        };
        match violation(&mut KInduction::new(options), &fixture.system) {
            Ok(found) => assert_eq!(
                found.map(|(_, depth)| depth),
                fixture.violation,
                "{}",
                fixture.name
            ),
            Err(reason) => {
                assert_eq!(reason, Reason::Depth(25));
                if fixture.violation.is_none_or(|depth| depth < 25) {
                    undecided.push(fixture.name);
                }
            }
        }
    }
    assert_eq!(undecided, ["ticket_lock"]);
}

/// Decides all from this first precision, however late it refines; its proofs hold for a separate solver.
fn assert_ctigar_decides_all(precision: Precision, max_spurious: usize) {
    for fixture in fixtures() {
        let options = CtigarOptions {
            precision,
            max_spurious,
            ..CtigarOptions::default()
        };
        let found = violation(&mut Ctigar::new(options.clone()), &fixture.system);
        assert_eq!(
            found.map(|found| found.is_some()),
            Ok(fixture.violation.is_some()),
            "{} with {options:?}",
            fixture.name
        );
    }
}

#[test]
fn ctigar_decides_all_fixtures_over_atoms() {
    assert_ctigar_decides_all(Precision::Atoms, 0);
}

#[test]
fn ctigar_decides_all_fixtures_over_atoms_with_late_refinement() {
    assert_ctigar_decides_all(Precision::Atoms, 3);
}

#[test]
fn ctigar_decides_all_fixtures_over_affine_predicates() {
    assert_ctigar_decides_all(Precision::Affine, 0);
}

#[test]
fn ctigar_decides_all_fixtures_over_bits() {
    assert_ctigar_decides_all(Precision::Exact, 0);
}

/// What a thread has loaded is what the counter is just between load and store, and only with the lock.
#[test]
fn what_holds_at_places_is_found_before() {
    let fixtures = fixtures().into_iter();
    let mut locked = fixtures.filter(|fixture| fixture.name == "locked_increments");
    let fixture = locked.next().expect("it is among the fixtures");
    let mut engine = Ctigar::new(CtigarOptions {
        precision: Precision::Affine,
        ..CtigarOptions::default()
    });
    assert_eq!(violation(&mut engine, &fixture.system), Ok(None));
    assert!(!engine.statistics().queries.contains_key("consecution"));
}

#[test]
fn two_runs_of_ctigar_ask_the_same() {
    for fixture in fixtures() {
        let run = || {
            let mut engine = Ctigar::new(CtigarOptions::default());
            let verdict = engine.check(&mut fixture.system.clone(), &Budget::unlimited());
            let counts = engine.statistics().queries.into_iter();
            let counts = counts.map(|(name, counts)| (name, counts.sat, counts.unsat));
            (verdict, counts.collect::<Vec<_>>())
        };
        assert_eq!(run(), run(), "{}", fixture.name);
    }
}
