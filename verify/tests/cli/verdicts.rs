//! Verdict lines and exit codes.

use crate::common::{
    SAFE, UNSAFE, assert_refused, assert_unknown, code, last_line, stderr, stdout, verify,
    verify_text,
};

#[test]
fn verdicts_and_exit_codes_belong_together() {
    let safe = verify(&[SAFE]);
    assert_eq!(
        (last_line(&safe).as_str(), code(&safe)),
        ("VERDICT: SAFE", 0)
    );
    let violated = verify(&[UNSAFE]);
    assert!(last_line(&violated).starts_with("VERDICT: UNSAFE (assertion) at "));
    assert_eq!(code(&violated), 10);
    let undecided = verify(&[SAFE, "--engine", "bmc", "--depth", "2"]);
    assert_eq!(
        last_line(&undecided),
        "VERDICT: UNKNOWN (bmc: no violation up to depth 2)"
    );
    assert_eq!(code(&undecided), 5);
    assert!(stderr(&violated).is_empty(), "logs without being asked");
}

#[test]
fn exhaustive_search_need_not_choose_what_a_run_does_not_use() {
    let program = |limit: u32| {
        format!(
            "#include <assert.h>
volatile int limit = {limit};
static long choose(void) {{
  long value;
  int found = 1;
  if (limit == 0) value = 3; else {{ found = limit == 2; limit = 2; }}
  return found ? value : -1;
}}
int main(void) {{
  assert(choose() == 3);
  return 0;
}}
"
        )
    };
    let verdict = |limit| {
        let arguments = ["--engine", "explicit"];
        last_line(&verify_text("choose.c", &program(limit), &arguments))
    };
    assert_eq!(verdict(0), "VERDICT: SAFE");
    assert_eq!(verdict(1), "VERDICT: UNSAFE (assertion) at choose.c:10");
    // The value is used, and may be any.
    assert_eq!(verdict(2), "VERDICT: UNSAFE (assertion) at choose.c:10");
}

#[test]
fn json_is_one_document() {
    let output = verify(&[UNSAFE, "--json"]);
    let document: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["verdict"], "UNSAFE");
    assert_eq!(code(&output), 10);
    assert!(output.stderr.is_empty());
}

#[test]
fn the_counterexample_does_not_depend_on_which_engine_is_first() {
    // In some of these exhaustive search is first, in others a symbolic engine.
    let mut others = 0;
    for example in [
        UNSAFE,
        "bakery_broken.c",
        "hash_table_broken.c",
        "philosophers_broken.c",
        "queue_michael_scott_broken.c",
        "atomic_section_broken.c",
    ] {
        let all = verify(&[example]);
        let explicit = verify(&[example, "--engine", "explicit"]);
        assert_eq!(stdout(&all), stdout(&explicit), "{example}");
        let symbolic = verify(&[example, "--engine", "bmc"]);
        assert_eq!(last_line(&symbolic), last_line(&all), "{example}");
        others += usize::from(symbolic.stdout != all.stdout);
    }
    assert!(
        others > 1,
        "engines find the same runs anyway, so this shows nothing"
    );
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let cases = [
        (
            "int measure(void);\nint main(void) {\n  return measure();\n}\n",
            ["measure", "given.c:3"],
        ),
        (
            "int main(void) {\n  __asm__ volatile(\"hlt\");\n  return 0;\n}\n",
            ["assembly", "given.c:2"],
        ),
        (
            "#include <assert.h>\nint main(int n, char **v) {\n  (void)v;\n  assert(__builtin_floor(n * 0.5) < 3);\n  return 0;\n}\n",
            ["float", "given.c:4"],
        ),
    ];
    for (text, words) in cases {
        assert_unknown(&verify_text("given.c", text, &[]), &words);
    }
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    for (arguments, words) in [
        (["--engine", "magic", "a.c"], ["magic", "portfolio"]),
        (["--timeout", "soon", "a.c"], ["--timeout", "not a number"]),
        (["--timeout", "-1", "a.c"], ["-1", "--timeout"]),
        (["--threads", "0", "a.c"], ["--threads", "from 1 to 64"]),
        (["--cells", "0", "a.c"], ["--cells", "0"]),
        (["--tiemout", "3", "a.c"], ["--tiemout", "--timeout"]),
    ] {
        assert_refused(&verify(&arguments), 1, &words);
    }
}

#[test]
fn version_and_help_are_results() {
    let version = verify(&["--version"]);
    assert_eq!((code(&version), version.stderr.len()), (0, 0));
    assert_eq!(
        version.stdout.iter().filter(|&&byte| byte == b'\n').count(),
        1
    );
    let help = verify(&["--help"]);
    assert_eq!((code(&help), help.stderr.len()), (0, 0));
    assert!(String::from_utf8_lossy(&help.stdout).contains("--schedule-out"));
}
