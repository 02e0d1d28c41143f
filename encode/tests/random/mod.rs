//! Random small concurrent programs: the encoded system reaches an error or a limit iff the program does, for every reduction
//! of `instrument` and for arbitrary external locations.

mod actions;
mod build;
use crate::common::{agrees, encoded, mark_visible, reduced};
use actions::{Action, action, life};
use build::build;
use instrument::Reduction;
use program::model::Program;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn count() -> u32 {
    std::env::var("ENCODE_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(40)
}

/// Compares program and system under all reductions, and where others may run elsewhere, too. A few programs have too many
/// states; they show at least that nothing panics. Returns how often the comparison was complete.
fn compare(program: Program, external: &[bool]) -> usize {
    let mut compared = 0;
    for reduction in Reduction::ALL {
        compared += usize::from(agrees(&reduced(program.clone(), reduction), 3000));
    }
    let mut program = program;
    mark_visible(&mut program);
    for template in program.templates.values_mut() {
        for (location, &more) in template.locations.values_mut().zip(external) {
            location.external |= more;
        }
    }
    compared + usize::from(agrees(&encoded(program), 3000))
}

/// Most comparisons about what begins and ends are complete.
#[test]
fn lives_are_small_enough() {
    let mut runner = TestRunner::deterministic();
    let (mut compared, mut all) = (0, 0);
    let actions = || prop::collection::vec(life(), 1..4);
    let strategy = (actions(), actions(), prop::collection::vec(life(), 0..2));
    for _ in 0..20 {
        let tree = strategy.new_tree(&mut runner).expect("there are actions");
        let (first, last, extra) = tree.current();
        let program = build(&[first], (&last, &extra), 0, false);
        compared += compare(program, &[]);
        all += 1 + Reduction::ALL.len();
    }
    assert!(2 * compared > all, "{compared} of {all}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: count(), max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_system_reaches_what_the_program_reaches(
        workers in prop::collection::vec(prop::collection::vec(action(), 1..4), 1..3),
        last in prop::collection::vec(action(), 0..3),
        kind in 0u8..5,
        join: bool,
        external in prop::collection::vec(any::<bool>(), 64),
    ) {
        compare(build(&workers, (&last, &[]), kind, join), &external);
    }

    #[test]
    fn the_system_reaches_what_the_program_reaches_of_lives(
        workers in prop::collection::vec(prop::collection::vec(life(), 1..4), 1..3),
        last in prop::collection::vec(life(), 0..3),
        extra in prop::collection::vec(life(), 0..2),
        join: bool,
        external in prop::collection::vec(any::<bool>(), 64),
    ) {
        let creates = |action: &Action| matches!(action, Action::Create(_));
        let extra: Vec<Action> = extra.into_iter().filter(|action| !creates(action)).collect();
        compare(build(&workers, (&last, &extra), 0, join), &external);
    }
}
