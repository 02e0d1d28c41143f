//! The fixtures are well formed, and explicit search finds what they expect.
//!
//! A fixture has a line `; expect: safe`, or `; expect: unsafe <transitions of a shortest violation>`.

use system::export::{btor2, vmt};
use system::term::Term;
use system::testing::{fixtures, shortest_violation};
use system::transition_system::TransitionSystem;

fn bits(system: &TransitionSystem, variables: impl Iterator<Item = Term>) -> u32 {
    variables.map(|variable| system.terms.width(variable)).sum()
}

/// Whether all inputs and free values can be enumerated.
fn is_small(system: &TransitionSystem) -> bool {
    let free = system.state.iter().filter(|variable| {
        variable.next.is_none()
            || variable
                .initial
                .is_none_or(|initial| system.terms.as_value(initial).is_none())
    });
    bits(system, system.inputs.iter().copied()) <= 8
        && bits(system, free.map(|variable| variable.current)) <= 16
}

#[test]
fn fixtures_have_the_expected_verdicts() {
    let (mut large, mut wrong) = (Vec::new(), Vec::new());
    for fixture in fixtures() {
        if is_small(&fixture.system) {
            let found = shortest_violation(&fixture.system).map(|(_, depth)| depth);
            if found != fixture.violation {
                wrong.push(format!("{}: {found:?}", fixture.name));
            }
        } else {
            large.push(fixture.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    // Decided by induction in the tests of `certify`.
    assert_eq!(large, ["doubled_twice", "lockstep", "odd_product"]);
}

#[test]
fn printing_a_parsed_fixture_again_adds_nothing() {
    for fixture in fixtures() {
        let (name, system) = (fixture.name, fixture.system);
        let once = btor2::print(&btor2::parse(&btor2::print(&system)).expect("well formed"));
        let twice = btor2::print(&btor2::parse(&once).expect("well formed"));
        assert_eq!(once.lines().count(), twice.lines().count(), "{name}");
        assert!(vmt::parse(&vmt::print(&system)).is_ok());
    }
}

/// The tools of the hardware model checking competition read no file in which a line refers to a later one, or in which an
/// initial value does not come before its variable.
#[test]
fn lines_of_btor2_refer_to_earlier_ones() {
    let mut initial_values = 0;
    for fixture in fixtures() {
        let (name, system) = (fixture.name, fixture.system);
        for line in btor2::print(&system).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |position: usize| words[position].parse::<usize>().expect("a number");
            // The numbers of the sort, and of what is initialised and by what.
            if words[1] == "init" {
                initial_values += 1;
                assert!(number(2) < number(3) && number(4) < number(3), "{line}");
            }
            let operands = match words[1] {
                "sort" | "constd" => 0..0,
                "slice" | "uext" | "sext" => 2..4,
                "input" | "state" | "constraint" | "bad" => 2..3,
                _ => 2..words.len(),
            };
            for position in operands {
                assert!(number(position) < number(0), "{line} in {name}");
            }
        }
    }
    assert!(initial_values > 100);
}
