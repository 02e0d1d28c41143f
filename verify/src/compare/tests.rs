//! The combined verdict of several reductions, and the counting of states.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::collections::BTreeSet;

use clap::Parser;
use instrument::Reduction;

use super::*;

fn column(reduction: &str, verdict: Verdict, refutes_proofs: bool) -> Column {
    Column {
        reduction: reduction.into(),
        verdict,
        refutes_proofs,
        external_locations: 0,
        blocks: None,
        state_bits: None,
        reachable_states: StateCount::Exactly(0),
        queries: 0,
        seconds: 0.0,
        peak_mebibytes: None,
    }
}

fn violated(line: u32) -> Verdict {
    Verdict::Unsafe {
        related: None,
        property: "assertion".into(),
        file: "a.c".into(),
        line,
    }
}

/// Joining fails, and the message names all `words`.
fn assert_contradiction(columns: &[Column], words: &[&str]) {
    let failure = join(columns).expect_err("a contradiction");
    assert_eq!(failure.exit_code(), 6);
    let message = failure.to_string();
    let has_all = words.iter().all(|word| message.contains(word));
    assert!(has_all, "{message}");
}

#[test]
fn a_proof_and_a_violation_are_no_verdict() {
    let none = || column("none", Verdict::Safe, false);
    let phase = || column("phase", violated(3), true);
    let words = ["none: SAFE", "phase: UNSAFE (assertion) at a.c:3"];
    assert_contradiction(&[none(), phase()], &words);
    assert_contradiction(&[phase(), none()], &words);
}

#[test]
fn a_proof_and_a_limit_that_is_met_are_no_verdict() {
    let met = Verdict::unknown("undefined behaviour at a.c:3");
    let columns = [
        column("static", Verdict::unknown("time"), false),
        column("none", Verdict::Safe, false),
        column("dynamic", met, true),
    ];
    assert_contradiction(&columns, &["none: SAFE", "dynamic: UNKNOWN (undefined"]);
}

#[test]
fn one_conclusive_verdict_is_enough() {
    let open = || column("none", Verdict::unknown("time"), false);
    let joined = |other| join(&[open(), column("static", other, false)]).expect("a verdict");
    assert_eq!(joined(Verdict::Safe), Verdict::Safe);
    assert_eq!(joined(violated(3)), violated(3));
    let met = column("dynamic", Verdict::unknown("undefined behaviour"), true);
    let beside = join(&[met, column("static", violated(3), true)]);
    assert_eq!(beside.expect("a limit is no proof"), violated(3));
}

#[test]
fn several_assertions_may_be_violated() {
    let columns = [3, 4].map(|line| column("none", violated(line), true));
    assert_eq!(join(&columns).expect("no contradiction"), violated(3));
}

#[test]
fn different_reasons_are_told_apart() {
    let open = |name, reason| column(name, Verdict::unknown(reason), false);
    let same = join(&[open("none", "time"), open("static", "time")]);
    assert_eq!(same.expect("nothing"), Verdict::unknown("time"));
    let other = join(&[open("none", "time"), open("static", "memory")]);
    let reasons = "none: UNKNOWN (time); static: UNKNOWN (memory)";
    assert_eq!(other.expect("nothing"), Verdict::unknown(reasons));
}

#[test]
fn who_has_no_verdict_stands_below_the_table() {
    let columns = vec![
        column("none", Verdict::Safe, false),
        column("dynamic", Verdict::unknown("time"), false),
    ];
    let comparison = Comparison {
        verdict: Verdict::Safe,
        assumptions: Assumptions::default(),
        reductions: columns,
    };
    let text = comparison.to_text();
    let end: Vec<&str> = text.lines().rev().take(2).collect();
    assert_eq!(end, ["VERDICT: SAFE", "dynamic: UNKNOWN (time)"]);
}

#[test]
fn a_comparison_that_is_stopped_is_its_reason() {
    let stopped = Comparison::stopped("time limit of 20 s".into());
    assert_eq!(stopped.to_text(), "VERDICT: UNKNOWN (time limit of 20 s)\n");
    let limits = |words: &[&str]| {
        let words = ["verify"].iter().chain(words);
        let options = Options::try_parse_from(words).expect("valid options");
        options.limits.of_comparison()
    };
    let limited = limits(&["--timeout", "1.5", "--memory", "100"]);
    assert_eq!(limited.time, Some(std::time::Duration::from_secs(25)));
    assert_eq!(limited.mebibytes, Some(712));
    let unlimited = limits(&[]);
    assert_eq!((unlimited.time, unlimited.mebibytes), (None, None));
}

/// The states of a program given as text, without reduction, if at most so many are counted.
fn counted(text: &str, most: u64) -> StateCount {
    let file = tempfile::Builder::new().suffix(".c").tempfile();
    let file = file.expect("a temporary file");
    std::fs::write(file.path(), text).expect("the file is writable");
    let path = file.path().to_string_lossy();
    let options = Options::try_parse_from(["verify", &path]).expect("valid options");
    let input = task::input(&options.program).expect("a file");
    let source = read(&input, &options.program).expect("a program");
    let limits = SearchLimits {
        states: most,
        ..limits(&options)
    };
    let reduced = source.reduced(Reduction::None, &BTreeSet::new());
    count(&reduced, &source.instances, &limits)
}

#[test]
fn states_are_counted_as_far_as_they_are_seen() {
    let wide = "unsigned __VERIFIER_nondet_uint(void); unsigned seen;
        int main(void) { do seen = __VERIFIER_nondet_uint(); while (seen * seen != 49); }";
    let narrow = wide
        .replace("unsigned", "unsigned char")
        .replace("uint", "uchar");
    let StateCount::Exactly(all) = counted(&narrow, 10_000) else {
        panic!("not all states are counted")
    };
    assert!(all >= 256, "{all}");
    assert_eq!(counted(&narrow, 100), StateCount::MoreThan(100));
    let some = counted(wide, 10_000);
    assert!(matches!(some, StateCount::AtLeast(_)), "{some:?}");
}
