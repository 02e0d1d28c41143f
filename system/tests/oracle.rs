//! Random systems are of both kinds, so that tests on them decide something.

use system::testing::{Random, random_system, shortest_violation};

#[test]
fn random_systems_are_safe_and_unsafe_at_several_depths() {
    let verdicts: Vec<Option<(usize, usize)>> = (0..200)
        .map(|seed| shortest_violation(&random_system(&mut Random::new(seed))))
        .collect();
    let at_least = |depth: usize| {
        verdicts
            .iter()
            .flatten()
            .filter(|&&(_, found)| found >= depth)
            .count()
    };
    let safe = verdicts.iter().filter(|verdict| verdict.is_none()).count();
    assert!(safe >= 30, "{safe} safe ones");
    assert!(
        at_least(0) >= 50 && at_least(2) >= 10,
        "{} {} {}",
        at_least(0),
        at_least(1),
        at_least(2)
    );
}
