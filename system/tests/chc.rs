//! Horn clauses of the fixtures mean the same to Spacer, Z3's engine for them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use system::export::{btor2, chc, vmt};
use system::testing::{Random, random_system, shortest_violation};
use system::transition_system::TransitionSystem;

/// What Z3 answers within so many steps of its own count, which are the same on every machine.
fn spacer(clauses: &str) -> String {
    let mut child = Command::new("z3")
        .args(["-in", "fp.engine=spacer", "rlimit=1000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 runs");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(clauses.as_bytes()).expect("z3 reads");
    drop(input);
    let output = child.wait_with_output().expect("z3 ends");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Whether Spacer says that the system is safe; it may give up.
fn is_safe(system: &TransitionSystem) -> Option<bool> {
    match spacer(&chc::print(system)).as_str() {
        "sat" => Some(true),
        "unsat" => Some(false),
        "unknown" => None,
        other => panic!("{other}\n{}", chc::print(system)),
    }
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
