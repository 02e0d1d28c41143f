//! The programs compile, vary, and are the same for the same seed.

use super::*;
use std::fs;
use std::process::Command;

const SEEDS: u64 = 200;

fn programs() -> Vec<String> {
    programs_of(Shape::small)
}

fn programs_with_heap() -> Vec<String> {
    programs_of(Shape::small_with_heap)
}

fn programs_of(shape: fn(u64) -> Shape) -> Vec<String> {
    (0..SEEDS)
        .map(|seed| random_program(seed, &shape(seed)))
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_text_and_another_seed_another() {
    for programs in [programs, programs_with_heap] {
        assert_eq!(programs(), programs());
        let programs = programs();
        // The first line tells the seed, so it does not count.
        let mut texts: Vec<&str> = programs
            .iter()
            .map(|text| text.split_once('\n').expect("many lines").1)
            .collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len() as u64, SEEDS);
    }
}

#[test]
fn every_program_compiles_without_warnings() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let with_heap = programs_with_heap().into_iter().step_by(4);
    let programs: Vec<String> = programs().into_iter().chain(with_heap).collect();
    let paths: Vec<_> = (0..programs.len())
        .map(|number| folder.path().join(format!("program{number}.c")))
        .collect();
    for (path, text) in paths.iter().zip(programs) {
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
    expect_often(&programs(), &features);
}

#[test]
fn every_feature_of_the_heap_occurs_often_and_only_where_it_is_asked_for() {
    let features = [
        ("malloc(", 150),
        ("calloc(", 80),
        ("realloc(", 10),
        ("free((void *)h", 100),
        ("free((void *)q);\n    q = 0;", 40),
        ("if (!q) {", 100),
        ("q = h", 20),
        ("= q;", 15),
        ("&local;", 10),
        ("(void *)h0)", 20),
        ("p = h", 8),
        ("shared_pointer = h", 5),
        ("__atomic_exchange_n(&h0, q", 10),
        ("__sync_bool_compare_and_swap(&h0, (cell *)0, q)", 10),
        ("__sync_bool_compare_and_swap(&h0, q, (cell *)0)", 10),
        ("pthread_mutex_lock(heap_mutex)", 10),
        ("free(heap_mutex)", 20),
        ("*borrowed = h", 15),
        ("free((void *)taken);", 10),
        ("assert(!h", 40),
    ];
    expect_often(&programs_with_heap(), &features);
    let without = programs();
    assert!(!without.iter().any(|text| text.contains("alloc(")));
}

/// Each of these texts occurs in so many programs or more.
fn expect_often(programs: &[String], features: &[(&str, usize)]) {
    // The prelude declares some of the functions.
    let bodies: Vec<String> = programs
        .iter()
        .map(|text| text.replace(PRELUDE, ""))
        .collect();
    for &(feature, least) in features {
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
