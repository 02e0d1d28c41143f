//! Limits: named as they were given, with the option that raises them, and never a verdict.

use clap::Parser;
use verify::options::Options;
use verify::progress::Progress;
use verify::verdict::Verdict;
use verify::{run_showing, stopped};

use crate::common::{FACTORING, SAFE, assert_unknown, code, last_line, shell, verify_text};

#[test]
fn time_limits_are_named_as_given() {
    for (given, printed) in [("0.5", "0.5"), ("1.5", "1.5"), ("0.01", "0.01"), ("2", "2")] {
        let limited = verify_text("given.c", FACTORING, &["--timeout", given]);
        let named = format!("(time limit of {printed} s; --timeout raises it");
        assert_unknown(&limited, &[&named]);
    }
}

#[test]
fn engines_say_how_far_they_came() {
    let program = "#include <assert.h>
        unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
          unsigned long sum = 0;
          for (;;) { sum += __VERIFIER_nondet_uint() % 7 * sum; assert(sum < 3); }
        }";
    let limited = verify_text("given.c", program, &["--engine", "bmc", "--timeout", "2"]);
    assert_unknown(
        &limited,
        &["time limit of 2 s", "bmc: no violation up to depth "],
    );
}

/// What the supervisor tells at a limit, after the work went as far as it is.
#[test]
fn a_limit_tells_what_was_done_and_what_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("given.c");
    let text = "int main(void) { __asm__ volatile(\"hlt\"); }";
    std::fs::write(&file, text).expect("it is written");
    let arguments = ["verify".as_ref(), file.as_os_str()];
    let options = Options::try_parse_from(arguments).expect("a file is given");
    let progress = Progress::hidden();
    let before = stopped("time limit of 1 s", &options, &progress);
    assert_eq!(before.verdict, Verdict::unknown("time limit of 1 s"));
    assert!(before.unsupported.is_empty());
    run_showing(&options, &progress).expect("it is read");
    let report = stopped("time limit of 1 s", &options, &progress);
    let stage = "time limit of 1 s; reached while checking the evidence";
    assert_eq!(report.verdict, Verdict::unknown(stage));
    assert_eq!(report.unsupported.len(), 1);
    assert!(report.unsupported[0].starts_with("inline assembly `hlt` at "));
    progress.stage("running bmc");
    progress.found("bmc", "no violation up to depth 7");
    let report = stopped("time limit of 1 s", &options, &progress);
    let found = "time limit of 1 s; reached while running bmc; bmc: no violation up to depth 7";
    assert_eq!(report.verdict, Verdict::unknown(found));
    progress.stage("checking the evidence");
    let report = stopped("time limit of 1 s", &options, &progress);
    assert_eq!(report.verdict, Verdict::unknown(stage));
}

#[test]
fn memory_limits_are_named_as_given() {
    let limited = verify_text("given.c", FACTORING, &["--memory", "1"]);
    assert_unknown(&limited, &["(memory limit of 1 MiB; --memory raises it"]);
    let document = verify_text("given.c", FACTORING, &["--memory", "1", "--json"]);
    let document: serde_json::Value =
        serde_json::from_slice(&document.stdout).expect("one JSON document");
    assert_eq!(document["verdict"], "UNKNOWN");
}

/// The verifier waits until the limit for a pipe that no process reads: without a certificate there is no SAFE, but a
/// violation stands.
#[test]
fn limits_hold_while_results_are_written() {
    let run = |example: &str, option: &str| {
        let script = format!(
            "d=$(mktemp -d) && mkfifo $d/p && \"$verify\" {example} --engine bmc {option} $d/p --timeout 3; c=$?; rm -r $d; exit $c"
        );
        shell(&script)
    };
    assert_unknown(
        &run("counter_mutex.c", "--certificate"),
        &["time limit of 3 s"],
    );
    let violated = run("peterson_broken.c", "--schedule-out");
    assert_eq!(code(&violated), 10);
    assert!(last_line(&violated).starts_with("VERDICT: UNSAFE"));
    let message = crate::common::stderr(&violated);
    assert!(
        message.contains("cannot write the schedule: time limit of 3 s"),
        "{message}"
    );
}

#[test]
fn limits_that_are_not_reached_change_nothing() {
    let limits = ["--timeout", "600", "--memory", "100000"];
    let text = std::fs::read_to_string(crate::common::examples().join(SAFE)).expect("an example");
    let output = verify_text("given.c", &text, &limits);
    assert_eq!(
        (last_line(&output).as_str(), code(&output)),
        ("VERDICT: SAFE", 0)
    );
}

/// Reads and writes an array of ten elements.
const TABLE: &str = "#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int table[10];
int main(void) {
  unsigned at = __VERIFIER_nondet_uchar() % 10;
  table[at] = 7;
  assert(table[at] == 7);
  return 0;
}
";

#[test]
fn a_violation_behind_what_is_encoded_is_no_contradiction() {
    let violated = TABLE.replace("== 7", "!= 7");
    for engine in ["explicit", "bmc", "ic3", "portfolio"] {
        let options = ["--engine", engine, "--cells", "9"];
        let output = verify_text("given.c", &violated, &options);
        let found = "VERDICT: UNSAFE (assertion) at given.c:7";
        assert_eq!(last_line(&output), found, "{engine}: {output:?}");
        assert_eq!(code(&output), 10);
    }
}

#[test]
fn the_size_of_arrays_that_are_followed_is_an_option() {
    let verify = |arguments: &[&str]| verify_text("given.c", TABLE, arguments);
    let limited = verify(&["--engine", "kind", "--cells", "9"]);
    assert_unknown(&limited, &["raise --cells", "given.c:"]);
    let raised = verify(&["--engine", "kind", "--cells", "10"]);
    assert_eq!(
        (last_line(&raised).as_str(), code(&raised)),
        ("VERDICT: SAFE", 0)
    );
}
