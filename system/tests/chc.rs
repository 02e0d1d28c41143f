//! Horn clauses of the fixtures mean the same to Spacer, Z3's engine for them.

use system::export::chc;
use system::testing::{Random, fixtures, random_system, shortest_violation, spacer};
use system::transition_system::TransitionSystem;

/// Whether Spacer says that the system is safe; it may give up.
fn is_safe(system: &TransitionSystem) -> Option<bool> {
    spacer(&chc::print(system), 1_000_000)
}

#[test]
fn spacer_decides_fixtures_as_expected() {
    let mut decided = [0, 0];
    for fixture in fixtures() {
        if let Some(found) = is_safe(&fixture.system) {
            let safe = fixture.violation.is_none();
            assert_eq!(found, safe, "{}", fixture.name);
            decided[usize::from(safe)] += 1;
        }
    }
    assert!(decided[0] >= 14 && decided[1] >= 18, "{decided:?}");
}

/// With free initial and next values, constraints and several properties.
#[test]
fn spacer_decides_random_systems_as_search_does() {
    let mut decided = [0, 0];
    for seed in 0..40 {
        let system = random_system(&mut Random::new(seed));
        if let Some(safe) = is_safe(&system) {
            let violation = shortest_violation(&system);
            assert_eq!(safe, violation.is_none(), "seed {seed}: {violation:?}");
            decided[usize::from(safe)] += 1;
        }
    }
    assert!(decided[0] >= 1 && decided[1] >= 1, "{decided:?}");
}
