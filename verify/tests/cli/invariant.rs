//! Invariants for people, and the options of the engine that finds them.

use std::collections::BTreeSet;

use crate::common::{
    SAFE, UNSAFE, assert_refused, code, last_line, stderr, stdout, verify, verify_text,
};

fn lemmas(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .filter_map(|line| line.strip_prefix("invariant: "))
        .collect()
}

/// What is said of a program that IC3 proves.
fn proved(program: &str) -> String {
    let output = verify_text("given.c", program, &["--engine", "ic3", "--invariant"]);
    assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stdout(&output));
    stdout(&output)
}

#[test]
fn lemmas_speak_of_threads_at_source_lines() {
    let searched = [SAFE, "--engine", "ic3", "--predicates", "atoms"];
    let output = verify(&[&searched[..], &["--invariant"]].concat());
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    let text = stdout(&output);
    let lemmas = lemmas(&text);
    // The critical sections, lines 19 and 20, exclude each other; some lemma says so of the places themselves.
    let is_exclusion = |lemma: &&str| {
        lemma.contains("first#1 at peterson.c:") && lemma.contains("second#1 at peterson.c:")
    };
    assert!(lemmas.iter().any(is_exclusion), "{text}");
    assert!(lemmas.iter().any(|lemma| lemma.contains(" => ")), "{text}");
    assert!(lemmas.iter().any(|lemma| lemma.contains("wants[0]")));
    assert!(
        !text.contains(".pc"),
        "program counters have places: {text}"
    );
    let different: BTreeSet<&&str> = lemmas.iter().collect();
    assert_eq!(different.len(), lemmas.len(), "{text}");
    let again = verify(&[&searched[..], &["--invariant"]].concat());
    assert_eq!(stdout(&again), text);
    let quiet = verify(&searched);
    assert_eq!(self::lemmas(&stdout(&quiet)).len(), 0);
}

/// The statements that a reduction adds have places, too.
#[test]
fn lemmas_speak_of_source_lines_under_dynamic_reduction() {
    let output = verify(&[
        SAFE,
        "--engine",
        "ic3",
        "--invariant",
        "--reduction",
        "dynamic",
    ]);
    assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("first#1 at peterson.c:"), "{text}");
    assert!(!text.contains(" at l"), "{text}");
}

#[test]
fn lemmas_speak_of_c_variables() {
    let program = "#include <assert.h>
        unsigned char __VERIFIER_nondet_uchar(void);
        unsigned level;
        int main(void) {
          while (__VERIFIER_nondet_uchar())
            level = level == 2 ? 0 : 2;
          assert(level != 7);
          return 0;
        }";
    let text = proved(program);
    let shown = lemmas(&text);
    let says = |words: &str| shown.iter().any(|lemma| lemma.contains(words));
    assert!(says("level != 7") || says("level == "), "{text}");
    assert!(
        says("main at given.c:") || says("not main at the error"),
        "{text}"
    );
    assert!(!text.contains("#x") && !text.contains("bv"), "{text}");
}

#[test]
fn pointers_are_shown_by_what_they_point_to() {
    let program = "#include <assert.h>
        unsigned char __VERIFIER_nondet_uchar(void);
        int one, two, three, *chosen = &one;
        int main(void) {
          while (__VERIFIER_nondet_uchar())
            chosen = chosen == &one ? &two : &one;
          assert(chosen != &three);
          return 0;
        }";
    let text = proved(program);
    let shown = lemmas(&text);
    let shown = shown.iter().find(|lemma| lemma.contains("chosen"));
    assert!(shown.is_some_and(|lemma| lemma.contains("&")), "{text}");
}

#[test]
fn json_has_the_invariant_as_a_list() {
    let arguments = [SAFE, "--engine", "ic3", "--invariant"];
    let text = stdout(&verify(&arguments));
    let output = verify(&[&arguments[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let listed = document["invariant"].as_array().expect("a list");
    let listed: Vec<&str> = listed.iter().filter_map(|lemma| lemma.as_str()).collect();
    assert_eq!(listed, lemmas(&text));
}

#[test]
fn threads_rely_on_what_the_others_guarantee() {
    let asked = [SAFE, "--engine", "modular", "--invariant"];
    let text = stdout(&verify(&asked));
    let of = |start: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(start));
        lines.map(str::to_owned).collect()
    };
    let relies = |thread| of(&format!("{thread} relies on the others: they keep "));
    let guarantees = |thread| of(&format!("{thread} guarantees: it keeps "));
    // A flag is its owner's, and the turn is given away, never taken.
    let about_whether = |conditions: BTreeSet<String>, flag: &str| {
        let mut all = conditions.into_iter();
        all.any(|kept| kept.starts_with("whether ") && kept.contains(flag))
    };
    for (thread, own, other) in [
        ("first#1", "wants[0]", "wants[1]"),
        ("second#1", "wants[1]", "wants[0]"),
    ] {
        assert!(about_whether(relies(thread), own), "{text}");
        assert!(!about_whether(relies(thread), other), "{text}");
        assert!(!about_whether(guarantees(thread), own), "{text}");
    }
    let about = |conditions: BTreeSet<String>, variable: &str| -> BTreeSet<String> {
        let all = conditions.into_iter();
        all.filter(|kept| kept.contains(variable)).collect()
    };
    let first = about(relies("first#1"), "turn");
    let second = about(relies("second#1"), "turn");
    assert!(!first.is_empty() && first.is_disjoint(&second), "{text}");
    assert_eq!(first, about(guarantees("second#1"), "turn"));
    assert_eq!(second, about(guarantees("first#1"), "turn"));
    let output = verify(&[&asked[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let contracts = document["contracts"].as_array().expect("a list");
    let told = contracts.iter().map(|contract| {
        let lists = ["relies_on", "guarantees"].map(|list| contract[list].as_array());
        lists
            .map(|list| list.expect("a list").len())
            .iter()
            .sum::<usize>()
    });
    let lines = text.lines().filter(|line| line.contains(" keep"));
    assert_eq!(told.sum::<usize>(), lines.count());
    assert!(!stdout(&verify(&asked[..3])).contains("relies on"));
}

#[test]
fn evidence_without_invariant_is_told() {
    for (example, engine) in [(SAFE, "explicit"), ("counter_mutex.c", "bmc")] {
        let output = verify(&[example, "--engine", engine, "--invariant"]);
        assert_eq!(last_line(&output), "VERDICT: SAFE");
        let message = stderr(&output);
        assert!(message.contains("there is no invariant") && message.contains("--engine ic3"));
    }
    let violated = verify(&[UNSAFE, "--engine", "ic3", "--invariant"]);
    assert_eq!((code(&violated), stderr(&violated).as_str()), (10, ""));
}

fn statistics(arguments: &[&str]) -> serde_json::Value {
    let output = verify(&[arguments, &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    document["statistics"]["engines"][0].take()
}

/// The numbers of queries, without their times.
fn queries(arguments: &[&str]) -> Vec<(String, u64)> {
    let statistics = statistics(arguments);
    let queries = statistics["queries"].as_object();
    let queries = queries.expect("queries by name").iter();
    let count = |counts: &serde_json::Value| {
        let count = |answer: &str| counts[answer].as_u64().expect("a number");
        count("sat") + count("unsat")
    };
    queries
        .map(|(name, counts)| (name.clone(), count(counts)))
        .collect()
}

#[test]
fn the_first_predicates_are_an_option() {
    let engine = |words: &[&str]| {
        let words = [&[SAFE, "--engine"], words].concat();
        statistics(&words)["engine"].as_str().map(str::to_owned)
    };
    assert_eq!(engine(&["ic3"]).as_deref(), Some("ic3"));
    assert_eq!(
        engine(&["ic3", "--predicates", "atoms"]).as_deref(),
        Some("ic3")
    );
    let asked = |predicates| {
        let queries = queries(&[SAFE, "--engine", "ic3", "--predicates", predicates]);
        queries.iter().any(|(name, _)| name == "affine consecution")
    };
    assert_eq!(["atoms", "affine"].map(asked), [false, true]);
    let exact = engine(&["ic3", "--predicates", "exact"]);
    assert_eq!(exact.as_deref(), Some("ic3"));
    let same = [&["--predicates", "exact"][..], &[]].map(|words| {
        let engine = if words.is_empty() { "ic3-exact" } else { "ic3" };
        queries(&[&[SAFE, "--engine", engine], words].concat())
    });
    assert_eq!(same[0], same[1]);
    for engine in ["portfolio", "ic3-exact", "bmc"] {
        let refused = verify(&[SAFE, "--engine", engine, "--predicates", "exact"]);
        assert_refused(&refused, 1, &["--predicates", "--engine ic3"]);
    }
}

#[test]
fn spurious_steps_are_an_option() {
    let searched = [
        "atomic_function.c",
        "--engine",
        "ic3",
        "--predicates",
        "atoms",
    ];
    let asked = |words: &[&str]| queries(&[&searched[..], words].concat());
    let eager = asked(&[]);
    assert_eq!(asked(&["--max-spurious", "0"]), eager);
    assert_ne!(asked(&["--max-spurious", "3"]), eager);
    let refused = verify(&[SAFE, "--max-spurious", "many"]);
    assert_refused(&refused, 1, &["--max-spurious"]);
}
