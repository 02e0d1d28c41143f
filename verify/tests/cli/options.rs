//! What is violated, and what SAFE does not say.

use crate::common::{code, last_line, shell, stderr, stdout, verify, verify_text};
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
    let unknown = verify(&["peterson.c", "--property", "no-overflow"]);
    assert_eq!(code(&unknown), 1);
    let message = stderr(&unknown);
    assert!(
        message.contains("unknown property `no-overflow`: expected `unreach-call`"),
        "{message}"
    );
}
