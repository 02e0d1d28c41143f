//! The programs compile, vary, and are the same for the same seed.

use super::*;
use std::fs;
use std::process::Command;

const SEEDS: u64 = 200;

fn programs() -> Vec<String> {
    (0..SEEDS)
        .map(|seed| random_program(seed, &Shape::small(seed)))
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_text_and_another_seed_another() {
    let programs = programs();
    assert_eq!(programs, self::programs());
    // The first line tells the seed, so it does not count.
    let mut texts: Vec<&str> = programs
        .iter()
        .map(|text| text.split_once('\n').expect("many lines").1)
        .collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len() as u64, SEEDS);
}

#[test]
fn every_program_compiles_without_warnings() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let paths: Vec<_> = (0..SEEDS)
        .map(|seed| folder.path().join(format!("program{seed}.c")))
        .collect();
    for (path, text) in paths.iter().zip(programs()) {
        fs::write(path, text).expect("the folder can be written");
    }
    let output = Command::new("clang-19")
        .args(["-Wall", "-Wextra", "-Werror", "-pthread", "-fsyntax-only"])
        .args(&paths)
        .output()
        .expect("clang-19 runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_feature_occurs_often() {
    let features = [
        ("pthread_mutex_lock(", 40),
        ("pthread_mutex_trylock(", 20),
        ("mtx_lock(", 10),
        ("pthread_testcancel(", 20),
        ("pthread_cancel(", 40),
        ("bool_compare_and_swap(", 40),
        ("val_compare_and_swap(", 10),
        ("__atomic_fetch_add(", 30),
        ("__atomic_exchange_n(", 15),
        ("while (", 10),
        ("for (", 15),
        ("unroll(disable)", 10),
        ("if (", 60),
        ("} else {", 10),
        ("__VERIFIER_assume(", 30),
        ("__VERIFIER_atomic_begin();", 20),
        ("__VERIFIER_nondet_bool() ?", 20),
        ("__VERIFIER_nondet_uint() %", 10),
        ("*p", 60),
        ("p = &v", 10),
        ("*shared_pointer", 20),
        ("shared_pointer = &v", 20),
        ("table[a & 1]", 10),
        ("&result", 20),
        ("pthread_t t2;", 20),
        ("typedef int cell", 20),
        ("typedef volatile unsigned char cell", 20),
    ];
    // The prelude declares some of the functions.
    let bodies: Vec<String> = programs()
        .iter()
        .map(|text| text.replace(PRELUDE, ""))
        .collect();
    for (feature, least) in features {
        let count = bodies.iter().filter(|body| body.contains(feature)).count();
        assert!(
            count >= least,
            "`{feature}` occurs in {count} programs only"
        );
    }
}

#[test]
fn some_routines_are_run_by_two_threads() {
    let shared = programs()
        .iter()
        .filter(|text| text.matches("0, routine0,").count() > 1)
        .count();
    assert!(shared >= 20, "in {shared} programs only");
}
