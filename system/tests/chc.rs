//! Horn clauses of the fixtures mean the same to Spacer, Z3's engine for them.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::Path;

use system::export::{btor2, chc, vmt};
use system::testing::{Random, random_system, shortest_violation, spacer};
use system::transition_system::TransitionSystem;

/// Whether Spacer says that the system is safe; it may give up.
fn is_safe(system: &TransitionSystem) -> Option<bool> {
    spacer(&chc::print(system), 1_000_000)
}

#[test]
fn spacer_decides_fixtures_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut decided = [0, 0];
    for entry in std::fs::read_dir(directory).expect("the fixtures are there") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let is_vmt = path.extension().is_some_and(|extension| extension == "vmt");
        let parse = if is_vmt { vmt::parse } else { btor2::parse };
        let system = parse(&text).expect("well formed");
        let safe = text.lines().any(|line| line == "; expect: safe");
        if let Some(found) = is_safe(&system) {
            assert_eq!(found, safe, "{}", path.display());
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
