//! What is violated, and what SAFE does not say.

use crate::common::{assert_refused, code, last_line, shell, stderr, stdout, verify, verify_text};
use crate::library::make_library;

#[test]
fn aborting_is_an_error_where_that_is_asked_for() {
    let broken = "abort_is_error_broken.c";
    for engine in ["explicit", "bmc", "ic3", "portfolio"] {
        let found = verify(&[broken, "--abort-is-error", "--engine", engine]);
        let line = "VERDICT: UNSAFE (abort) at abort_is_error_broken.c:14";
        assert_eq!((last_line(&found).as_str(), code(&found)), (line, 10));
        let ended = verify(&[
            "exit_status_broken.c",
            "--abort-is-error",
            "--engine",
            engine,
        ]);
        let line = "VERDICT: UNSAFE (nonzero exit) at exit_status_broken.c:19";
        assert_eq!((last_line(&ended).as_str(), code(&ended)), (line, 10));
    }
    for arguments in [
        &["abort_is_error.c", "--abort-is-error"][..],
        &[broken],
        &["exit_status_broken.c"],
    ] {
        assert_eq!(
            last_line(&verify(arguments)),
            "VERDICT: SAFE",
            "{arguments:?}"
        );
    }
}

#[test]
fn certificates_and_replays_know_whether_aborting_is_an_error() {
    make_library();
    let safe = shell(
        "d=$(mktemp -d); \"$verify\" abort_is_error.c --abort-is-error --certificate $d/c > $d/out \
         && grep -q abort-is-error $d/c && \"$verify\" check-certificate $d/c abort_is_error.c; c=$?; rm -r $d; exit $c",
    );
    assert_eq!(last_line(&safe), "CERTIFICATE: HOLDS");
    for (example, property) in [
        ("abort_is_error_broken.c", "abort"),
        ("exit_status_broken.c", "nonzero exit"),
    ] {
        let replayed = shell(&format!(
            "d=$(mktemp -d); \"$verify\" {example} --abort-is-error --schedule-out $d/s > $d/out; \
             \"$verify\" {example} --abort-is-error --replay $d/s; c=$?; rm -r $d; exit $c"
        ));
        let start = format!("REPLAY: CONFIRMED ({property}) at {example}:");
        assert!(
            last_line(&replayed).starts_with(&start),
            "{}",
            last_line(&replayed)
        );
        assert_eq!(code(&replayed), 10);
    }
}

const NO_ASSERTION: &str = "warning: no assertion is reachable";
const NO_END: &str = "warning: `main` never returns";

#[test]
fn safe_says_what_it_does_not_say() {
    let head =
        "#include <assert.h>\n#include <pthread.h>\nunsigned char __VERIFIER_nondet_uchar(void);
static pthread_t own;
static void *look(void *number) { return *(char *)number ? number : 0; }\n";
    let checks = "unsigned char n = __VERIFIER_nondet_uchar(); assert(n < 256 - !n);";
    for (body, warnings) in [
        (format!("{checks} return 0;"), [false, false]),
        ("return 0;".to_owned(), [true, false]),
        // Main, whose handle is known, waits for ever where it returns, and its variables end there.
        (
            format!(
                "{checks} pthread_t thread; own = pthread_self(); pthread_create(&thread, 0, look, &n);
                 pthread_join(thread, 0); return n > 7;"
            ),
            [false, false],
        ),
        (format!("for (;;) {{ {checks} }}"), [false, true]),
        ("for (;;) ;".to_owned(), [true, true]),
    ] {
        let text = format!("{head}int main(void) {{ {body} }}\n");
        let safe = verify_text("given.c", &text, &[]);
        assert_eq!(last_line(&safe), "VERDICT: SAFE", "{body}");
        let output = stdout(&safe);
        let found = [NO_ASSERTION, NO_END].map(|warning| output.contains(warning));
        assert_eq!(found, warnings, "{output}");
        let document = verify_text("given.c", &text, &["--json"]);
        let document: serde_json::Value =
            serde_json::from_slice(&document.stdout).expect("one JSON document");
        let told = document["warnings"].as_array().map_or(0, Vec::len);
        assert_eq!(told, warnings.into_iter().filter(|&warns| warns).count());
    }
    let unreached = stdout(&verify(&["assertion_unreached.c"]));
    assert!(unreached.contains(NO_ASSERTION), "{unreached}");
}

#[test]
fn what_no_run_reaches_is_not_mentioned() {
    let text = |condition: &str| {
        format!(
            "#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {{
  unsigned char n = __VERIFIER_nondet_uchar();
  if ({condition}) __asm__ volatile(\"hlt\");
  assert(n != 7 || n % 2);
  return 0;
}}
"
        )
    };
    let safe = verify_text("given.c", &text("n * n == 3"), &[]);
    assert_eq!(last_line(&safe), "VERDICT: SAFE");
    assert!(!stdout(&safe).contains("unsupported"), "{}", stdout(&safe));
    let limited = verify_text("given.c", &text("n * n == 4"), &[]);
    assert_eq!(
        last_line(&limited),
        "VERDICT: UNKNOWN (unsupported inline assembly `hlt` at given.c:5)"
    );
    assert!(stdout(&limited).contains("unsupported: inline assembly `hlt` at given.c:5"));
}

#[test]
fn a_property_is_asked_for_by_its_name() {
    let named = verify(&["peterson.c", "--property", "unreach-call"]);
    assert_eq!(stdout(&named), stdout(&verify(&["peterson.c"])));
    let again = verify(&[
        "peterson.c",
        "--property=unreach-call",
        "--property=unreach-call",
    ]);
    assert_eq!(stdout(&named), stdout(&again));
    let unknown = verify(&["peterson.c", "--property", "no-cycles"]);
    assert_eq!(code(&unknown), 1);
    let message = stderr(&unknown);
    assert!(
        message.contains("unknown property `no-cycles`: expected `unreach-call`"),
        "{message}"
    );
}

const ARBITRARY: [&str; 2] = ["--undefined", "arbitrary"];
const ASSUMED: &str = "(undefined functions taken as arbitrary: blink, read_sensor)";

#[test]
fn the_verdict_names_functions_that_are_taken_to_return_any_value() {
    let (right, broken) = ("undefined_function.c", "undefined_function_broken.c");
    let line = format!("VERDICT: SAFE {ASSUMED}");
    let verify_arbitrary = |words: &[&str]| verify(&[words, &ARBITRARY].concat());
    let safe = verify_arbitrary(&[right]);
    assert_eq!(last_line(&safe), line, "{}", stderr(&safe));
    assert!(
        stdout(&safe)
            .contains("assumption: `read_sensor`, which is not defined, returns any value")
    );
    assert_eq!(last_line(&verify_arbitrary(&[right, "--compare"])), line);
    let json = stdout(&verify_arbitrary(&[right, "--json"]));
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let names = serde_json::json!(["blink", "read_sensor"]);
    assert_eq!(document["arbitrary_functions"], names);
    let unsafe_line = format!("VERDICT: UNSAFE (assertion) at {broken}:38");
    let violated = verify_arbitrary(&[broken]);
    assert_eq!(last_line(&violated), unsafe_line);
    assert!(stdout(&violated).contains("assumption: `blink`"));
    let stopped = verify(&[right]);
    let words = "VERDICT: UNKNOWN (unsupported call of undefined function `read_sensor` at ";
    assert!(
        last_line(&stopped).starts_with(words),
        "{}",
        last_line(&stopped)
    );
    for (file, engine, assumed) in [
        (right, "ic3", ASSUMED),
        (
            "$d/blink.c",
            "explicit",
            "(undefined functions taken as arbitrary: blink)",
        ),
    ] {
        let script = format!(
            "d=$(mktemp -d); echo 'void blink(void); int main(void) {{ blink(); }}' > $d/blink.c; \
             \"$verify\" {file} --undefined arbitrary --engine {engine} --certificate $d/c > $d/out \
             && \"$verify\" check-certificate $d/c {file}; c=$?; rm -r $d; exit $c"
        );
        let checked = shell(&script);
        assert_eq!(
            last_line(&checked),
            format!("CERTIFICATE: HOLDS {assumed}"),
            "{}",
            stderr(&checked)
        );
    }
    make_library();
    let replayed = shell(&format!(
        "d=$(mktemp -d); \"$verify\" {broken} --undefined arbitrary --schedule-out $d/s > $d/out; \
         \"$verify\" {broken} --undefined arbitrary --replay $d/s; rm -r $d"
    ));
    let confirmed = format!("REPLAY: CONFIRMED (assertion) at {broken}:38");
    assert_eq!(last_line(&replayed), confirmed, "{}", stderr(&replayed));
}

#[test]
fn what_an_undefined_function_may_do_is_never_guessed() {
    let text = |call: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
             struct node {{ struct node *next; int value; }}; struct big {{ long a[6]; }};\n\
             void take(struct big), take_all(int, ...), change(void *); struct big give(void);\n\
             double measure(void); int pthread_unheard_of(pthread_t);\n\
             int ask(int), *where(void); static int x = 1; static struct node first;\n\
             int main(void) {{\n  {call}\n  assert(x == 1);\n}}\n"
        )
    };
    let found = |call: &str| last_line(&verify_text("given.c", &text(call), &ARBITRARY));
    let unsafe_line = "VERDICT: UNSAFE (assertion) at given.c:10";
    for (call, expected) in [
        (
            "ask(2);",
            "VERDICT: SAFE (undefined functions taken as arbitrary: ask)",
        ),
        ("x = ask(2);", unsafe_line),
        (
            "struct big s = {{1}}; take(s); x = s.a[0];",
            "VERDICT: SAFE (undefined functions taken as arbitrary: take)",
        ),
        (
            "struct big s = {{1}}; void (*f)(struct big) = take; f(s); x = s.a[0];",
            "VERDICT: SAFE (undefined functions taken as arbitrary: take)",
        ),
        (
            "struct big s = {{1}}; take_all(1, s); x = s.a[0];",
            "VERDICT: SAFE (undefined functions taken as arbitrary: take_all)",
        ),
        (
            "struct big s = {{1}}; take_all(1, &s); x = s.a[0];",
            unsafe_line,
        ),
        ("struct big s = give(); x = s.a[0];", unsafe_line),
        ("change(&x);", unsafe_line),
        ("int *p = &x; if (rand()) change(p);", unsafe_line),
        (
            "change(\"x\");",
            "VERDICT: SAFE (undefined functions taken as arbitrary: change)",
        ),
        ("int y = 0; change(&y); if (y == 3) x = 2;", unsafe_line),
        (
            "int y = 0; change(&y); if (y == 3 && y == 4) x = 2;",
            "VERDICT: SAFE (undefined functions taken as arbitrary: change)",
        ),
        ("int (*f)(int) = ask; if (f(1) > 7) x = 2;", unsafe_line),
    ] {
        assert_eq!(found(call), expected, "{call}");
    }
    for (call, reason) in [
        (
            "int *p = rand() ? &x : 0; if (p) change(p);",
            "with a pointer to what is not seen",
        ),
        (
            "int *p = malloc(4); change(p);",
            "call of undefined function `change` with a pointer to what is not seen",
        ),
        (
            "double d; change(&d);",
            "with a pointer to a large variable, or one of floating point",
        ),
        (
            "x = measure() > 0;",
            "with a result that is no integer and no pointer",
        ),
        (
            "pthread_unheard_of(pthread_self());",
            "call of undefined function `pthread_unheard_of`",
        ),
        ("x = *where();", "depends on what `where` gives"),
        (
            "change(&first); x = first.next->value;",
            "depends on what `change` gives",
        ),
    ] {
        let line = found(call);
        assert!(
            line.starts_with("VERDICT: UNKNOWN") && line.contains(reason),
            "{call}: {line}"
        );
    }
}

#[test]
fn overflow_is_verified_where_clang_checks_all_functions() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("the directory is writable");
        path.to_string_lossy().into_owned()
    };
    let text = "__attribute__((no_sanitize(\"undefined\"))) int main(void) { int x = 2147483647; return x + 1; }\n";
    let (source, preprocessed) = (file("sum.c", text), file("sum.i", text));
    let asked =
        |file: &str, more: &[&str]| verify(&[&[file, "--property", "no-overflow"], more].concat());
    assert_eq!(code(&asked(&source, &[])), 10);
    for wraps in ["-fwrapv", "-fno-strict-overflow"] {
        assert_eq!(code(&asked(&source, &["--", wraps])), 0, "{wraps}");
        let taken_back = wraps
            .replace("no-strict", "strict")
            .replace("wrapv", "no-wrapv");
        let both = asked(&source, &["--", wraps, &taken_back]);
        assert_eq!(code(&both), 10, "{wraps} {taken_back}");
    }
    assert_refused(&asked(&preprocessed, &[]), 2, &["no_sanitize", "remove it"]);
}
