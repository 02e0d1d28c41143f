//! Exported systems are decided as the programs are.

use std::fs;

use ic3::{Ctigar, CtigarOptions, Engine};
use system::budget::Budget;
use system::export::{btor2, vmt};
use system::testing::spacer;
use system::transition_system::{TransitionSystem, Verdict};

use crate::common::{SAFE, UNSAFE, assert_refused, code, stderr, stdout, verify};

/// Small ones, since Spacer has a limit here, and whether they are safe.
const EXAMPLES: [(&str, bool); 8] = [
    ("loop_invariant.c", true),
    ("main_result.c", true),
    ("thread_self.c", true),
    ("union_bytes.c", true),
    ("main_returns_first.c", false),
    ("message_passing_broken.c", false),
    ("stack_variable_shared_broken.c", false),
    ("write_before_spin.c", false),
];

fn export(example: &str, format: &str, arguments: &[&str]) -> String {
    let words = [&["export", example, "--format", format], arguments].concat();
    let output = verify(&words);
    assert_eq!(code(&output), 0, "{example}: {}", stderr(&output));
    stdout(&output)
}

fn is_safe(mut system: TransitionSystem) -> bool {
    let mut engine = Ctigar::new(CtigarOptions::default());
    match engine.check(&mut system, &Budget::unlimited()) {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn systems_that_are_read_again_have_the_verdict() {
    for (example, safe) in EXAMPLES {
        let system = btor2::parse(&export(example, "btor2", &[])).expect("BTOR2");
        assert_eq!(is_safe(system), safe, "{example} as BTOR2");
        let system = vmt::parse(&export(example, "vmt", &[])).expect("VMT");
        assert_eq!(is_safe(system), safe, "{example} as VMT");
    }
}

#[test]
fn spacer_has_the_verdict_or_none() {
    let mut decided = 0;
    for (example, safe) in EXAMPLES {
        if let Some(found) = spacer(&export(example, "smt2-chc", &[]), 1_000_000) {
            assert_eq!(found, safe, "{example}");
            decided += 1;
        }
    }
    assert!(decided >= 6, "{decided}");
}

/// Of these programs, what has a proof has one thread by thread.
#[test]
fn spacer_has_the_verdict_by_every_rule() {
    let mut decided = 0;
    for rule in ["owicki-gries", "rely-guarantee"] {
        for (example, safe) in EXAMPLES {
            let clauses = export(example, "smt2-chc", &["--rule", rule]);
            assert!(clauses.contains("(declare-fun States0 "), "{rule}");
            assert_eq!(
                clauses.contains("(declare-fun Others0 "),
                rule == "rely-guarantee"
            );
            if let Some(found) = spacer(&clauses, 1_000_000) {
                assert_eq!(found, safe, "{example} by {rule}");
                decided += 1;
            }
        }
    }
    assert!(decided >= 12, "{decided}");
    let words = [
        "export",
        SAFE,
        "--format",
        "vmt",
        "--rule",
        "rely-guarantee",
    ];
    assert_refused(&verify(&words), 1, &["--rule", "--format smt2-chc"]);
}

#[test]
fn the_head_says_what_a_proof_for_any_number_of_threads_needs() {
    let example = "any-number/locked_counter.c";
    let says = |threads| {
        let text = export(example, "smt2-chc", &["--threads", threads]);
        text.contains("; Some threads stand for any number of others.")
    };
    assert!(says("any") && !says("2"));
}

#[test]
fn the_head_says_what_it_is_and_options_count() {
    let text = export(SAFE, "vmt", &["--threads", "2", "--clang-arg=-DUNUSED"]);
    for line in [
        "; program: peterson.c",
        "; reduction: static",
        "; bounds: --threads 2 --heap 5 --recursion 8 --cells 4096",
        "; clang argument: -DUNUSED",
        "; never: violation of unreach-call",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
    let reduced = export(UNSAFE, "btor2", &[]).lines().count();
    let whole = export(UNSAFE, "btor2", &["--reduction", "none"]);
    assert!(whole.lines().count() > reduced);
}

#[test]
fn an_export_goes_to_a_file() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("system.btor2");
    let path = file.to_string_lossy();
    assert_eq!(export(SAFE, "btor2", &["-o", &path]), "");
    let written = fs::read_to_string(&file).expect("it was written");
    assert_eq!(written, export(SAFE, "btor2", &[]));
    let full = verify(&["export", SAFE, "--format", "vmt", "-o", "/dev/full"]);
    assert_refused(
        &full,
        1,
        &["cannot write the export", "/dev/full", "--output"],
    );
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let missing = verify(&["export", "missing.c", "--format", "vmt"]);
    assert_refused(&missing, 2, &["`missing.c`", "No such file"]);
    assert_refused(&verify(&["export", SAFE]), 1, &["--format"]);
    let engine = verify(&["export", SAFE, "--format", "vmt", "--engine", "ic3"]);
    assert_refused(&engine, 1, &["--engine"]);
}

/// Files are told from commands by their directory, or by standing behind an option.
#[test]
fn a_file_may_have_the_name_of_a_command() {
    for words in [&["./export"][..], &["--json", "export"], &["help"]] {
        let name = format!("`{}`", words[words.len() - 1]);
        assert_refused(&verify(words), 2, &[&name, "No such file"]);
    }
}
