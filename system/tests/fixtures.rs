//! The fixtures are well formed, and explicit search finds what they expect.
//!
//! A fixture has a line `; expect: safe`, or `; expect: unsafe <transitions of a shortest violation>`.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::{Path, PathBuf};

use system::export::{ParseError, btor2, vmt};
use system::term::Term;
use system::testing::shortest_violation;
use system::transition_system::TransitionSystem;

fn fixtures() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = std::fs::read_dir(directory).expect("the fixtures are there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

fn parse(path: &Path, text: &str) -> Result<TransitionSystem, ParseError> {
    if path.extension().is_some_and(|extension| extension == "vmt") {
        vmt::parse(text)
    } else {
        btor2::parse(text)
    }
}

/// The expected depth of a violation.
fn expectation(text: &str) -> Option<usize> {
    let expected = text
        .lines()
        .find_map(|line| line.strip_prefix("; expect: "))
        .expect("an expectation");
    if expected == "safe" {
        return None;
    }
    Some(
        expected
            .strip_prefix("unsafe ")
            .and_then(|depth| depth.parse().ok())
            .expect("a depth"),
    )
}

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
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let system =
            parse(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected = expectation(&text);
        if is_small(&system) {
            let found = shortest_violation(&system).map(|(_, depth)| depth);
            if found != expected {
                wrong.push(format!("{}: {found:?}", path.display()));
            }
        } else {
            large.push(
                path.file_stem()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default(),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    // Decided by induction in the tests of `certify`.
    assert_eq!(large, ["doubled_twice", "lockstep", "odd_product"]);
}

#[test]
fn printing_a_parsed_fixture_again_adds_nothing() {
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let system = parse(&path, &text).expect("well formed");
        let once = btor2::print(&btor2::parse(&btor2::print(&system)).expect("well formed"));
        let twice = btor2::print(&btor2::parse(&once).expect("well formed"));
        assert_eq!(
            once.lines().count(),
            twice.lines().count(),
            "{}",
            path.display()
        );
        assert!(vmt::parse(&vmt::print(&system)).is_ok());
    }
}

/// The tools of the hardware model checking competition read no file in which a line refers to a later one, or in which an
/// initial value does not come before its variable.
#[test]
fn lines_of_btor2_refer_to_earlier_ones() {
    let mut initial_values = 0;
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let system = parse(&path, &text).expect("well formed");
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
                assert!(number(position) < number(0), "{line} in {}", path.display());
            }
        }
    }
    assert!(initial_values > 100);
}
