//! The programs have one result, vary, and are the same for the same seed.

use super::*;
use frontend::testing::in_parallel;
use std::fs;
use std::process::Command;

const SEEDS: u64 = 300;

/// Programs that are run; that takes time.
const RUNS: u64 = 40;

fn programs() -> Vec<String> {
    (0..SEEDS).map(deterministic_program).collect()
}

#[test]
fn the_same_seed_gives_the_same_text() {
    assert_eq!(programs(), self::programs());
}

/// Undefined behaviour traps in one of the runs, and is likely to give another result in the other.
#[test]
fn optimised_and_checked_runs_have_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    in_parallel(0..RUNS, |seed| {
        let path = folder.path().join(format!("program{seed}.c"));
        fs::write(&path, deterministic_program(seed)).expect("the folder can be written");
        let run = |flags: &[&str]| {
            let binary = path.with_extension("exe");
            let compiled = Command::new("clang-19")
                .args(["-w", "-pthread", "-o"])
                .args([&binary, &path])
                .args(flags)
                .status()
                .expect("clang-19 runs");
            assert!(compiled.success(), "seed {seed}");
            let output = Command::new(binary)
                .output()
                .expect("what was compiled runs");
            assert!(
                output.status.success(),
                "seed {seed} {flags:?}: {}",
                output.status
            );
            output.stdout
        };
        let checked = run(&["-O1", "-fsanitize=undefined", "-fsanitize-trap=undefined"]);
        assert_eq!(checked, run(&["-O0"]), "seed {seed}");
        assert_eq!(checked, run(&["-O2"]), "seed {seed}");
    });
}

#[test]
fn every_feature_occurs_often() {
    let features = [
        ("_Bool ", 100),
        ("signed char", 100),
        ("unsigned short", 100),
        (" long ", 100),
        ("wide)", 60),
        ("_BitInt(", 60),
        ("f1 : ", 60),
        ("union R", 60),
        ("packed", 40),
        ("][", 30),
        ("volatile ", 60),
        ("_Atomic ", 60),
        ("static unsigned", 20),
        ("for (", 100),
        ("while (", 100),
        ("do {", 50),
        ("switch (", 80),
        (" ... ", 40),
        ("goto out", 40),
        ("goto again", 40),
        ("goto middle", 10),
        ("goto *labels", 30),
        ("setjmp(", 30),
        ("leap(place", 10),
        ("continue;", 50),
        ("break;", 80),
        (" ? (void)", 30),
        ("<<=", 20),
        (">>=", 40),
        ("++", 80),
        ("memmove(", 60),
        ("memcpy(", 60),
        ("memset(", 30),
        ("memcmp(", 30),
        ("offsetof(", 10),
        ("**", 15),
        ("(*table", 40),
        ("table[", 60),
        ("a0 - 1", 40),
        ("malloc(", 60),
        ("calloc(", 20),
        ("free(", 20),
        ("->next", 20),
        ("__builtin_add_overflow(", 20),
        ("__builtin_elementwise_", 40),
        ("__atomic_", 60),
        ("__sync_", 40),
        ("atomic_fetch_", 20),
        ("atomic_compare_exchange_strong(", 5),
        ("visitor(", 30),
        ("worker(", 30),
    ];
    let bodies: Vec<String> = programs()
        .iter()
        .map(|text| text.replace(PRELUDE, "").replace(CHECK, ""))
        .collect();
    for (feature, least) in features {
        let count = bodies.iter().filter(|body| body.contains(feature)).count();
        assert!(
            count >= least,
            "`{feature}` occurs in {count} programs only"
        );
    }
}
