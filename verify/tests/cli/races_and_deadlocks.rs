//! What is told of data races and deadlocks.

use std::process::Command;

use crate::common::{code, examples, last_line, stderr, stdout, verify, verify_bytes};
use crate::library::make_library;

/// The output of a program of `c-examples/` of which a property is verified.
fn shown(name: &str, property: &str) -> String {
    stdout(&verify(&[&format!("{name}.c"), "--property", property]))
}

#[test]
fn a_race_names_both_accesses_and_how_many_pairs_were_looked_at() {
    let racy = shown("race_joined_broken", "no-data-race");
    let verdict = racy.lines().last().expect("a verdict");
    assert!(
        verdict.starts_with("VERDICT: UNSAFE (data race) at "),
        "{racy}"
    );
    assert!(
        verdict.contains("while `compute#1` is about to write result at "),
        "{racy}"
    );
    assert!(verdict.ends_with("race_joined_broken.c:11"), "{racy}");
    assert!(racy.contains("is about to write\n"), "{racy}");
    let safe = shown("race_mutex", "no-data-race");
    let pairs = "accesses: 6 conflicting pairs: 3 never at the same time, 3 under a common lock, 0 searched";
    assert!(safe.contains(pairs), "{safe}");
    let output = verify(&["race_mutex.c", "--property", "no-data-race", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["conflicting_accesses"]["locked"], 3);
    let without = shown("race_mutex", "unreach-call");
    assert!(!without.contains("accesses:"), "{without}");
}

#[test]
fn optimised_bitcode_is_refused_for_races_and_stays_open_beside_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compiled = |options: &[&str]| {
        let target = folder.path().join("program.bc");
        let mut clang = Command::new("clang-19");
        clang.args(["-g", "-c", "-emit-llvm"]).args(options);
        clang
            .arg(examples().join("race_mutex.c"))
            .arg("-o")
            .arg(&target);
        assert!(clang.status().expect("clang runs").success());
        std::fs::read(target).expect("clang has written it")
    };
    let optimised = compiled(&["-O2"]);
    let refused = verify_bytes(&optimised, &["--property", "no-data-race"]);
    assert_eq!(code(&refused), 1, "{}", stderr(&refused));
    assert!(stderr(&refused).contains("was optimised, which may add accesses"));
    let open = verify_bytes(&optimised, &["--property", "unreach-call,no-data-race"]);
    let text = stdout(&open);
    assert!(
        text.contains("unreach-call: SAFE\nno-data-race: UNKNOWN ("),
        "{text}"
    );
    assert!(last_line(&open).starts_with("VERDICT: UNKNOWN"), "{text}");
    let plain = verify_bytes(&compiled(&["-O0"]), &["--property", "no-data-race"]);
    assert_eq!(last_line(&plain), "VERDICT: SAFE");
}

#[test]
fn a_deadlock_ends_with_who_waits_for_what() {
    let text = shown("deadlock_philosophers_3_broken", "no-deadlock");
    for (own, next) in [(1, 2), (2, 3), (3, 1)] {
        let line = format!("eat#{own} waits in pthread_mutex_lock at ");
        let line = text.lines().find(|known| known.starts_with(&line));
        let line = line.unwrap_or_else(|| panic!("eat#{own} is missing: {text}"));
        assert!(
            line.ends_with(&format!("for forks[{}], held by eat#{next}", own % 3)),
            "{line}"
        );
    }
    let text = shown("deadlock_broadcast_broken", "no-deadlock");
    assert!(text.contains("\nmain waits in pthread_join at "), "{text}");
    assert!(text.contains(" for opened\n"), "{text}");
    assert!(
        text.contains(", while `main` waits in pthread_join at "),
        "{text}"
    );
}

#[test]
fn races_of_the_programs_own_accesses_are_replayed() {
    make_library();
    for (name, expected) in [
        ("race_joined_broken", "REPLAY: CONFIRMED (data race) at "),
        (
            "race_result_broken",
            "REPLAY: NOT ENFORCEABLE (an access by a function of the library, ",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let schedule = folder.path().join("run");
        let schedule = schedule.to_str().expect("the path is text");
        let file = format!("{name}.c");
        let arguments = [&file, "--property", "no-data-race"];
        let found = verify(&[&arguments[..], &["--schedule-out", schedule]].concat());
        assert_eq!(code(&found), 10, "{}", stdout(&found));
        let replayed = verify(&[&arguments[..], &["--replay", schedule]].concat());
        let line = last_line(&replayed);
        assert!(line.starts_with(expected), "{line}");
    }
}
