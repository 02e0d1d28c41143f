//! What verdicts without a proof or a violation say: what was met, by which name and where, whichever engine met it.

use crate::common::{assert_unknown, code, last_line, stdout, verify_text};

const ENGINES: [&str; 4] = ["bmc", "ic3", "explicit", "portfolio"];

/// A program whose `main` has this body, from line 13 on.
fn program(body: &str) -> String {
    format!(
        "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern int elsewhere;
unsigned char __VERIFIER_nondet_uchar(void);
int __VERIFIER_nondet_int(void);
static int shared;
static void *routine(void *argument) {{ shared = 1; return argument; }}
int main(void) {{
{body}
  return 0;
}}
"
    )
}

fn verdict(body: &str, engine: &str) -> String {
    let given = verify_text("given.c", &program(body), &["--engine", engine]);
    last_line(&given)
}

/// The verdict where memory is not verified, so that what is wrong with it is a limit.
fn verdict_on_assertions(body: &str, engine: &str) -> String {
    let options = ["--engine", engine, "--property", "unreach-call"];
    last_line(&verify_text("given.c", &program(body), &options))
}

#[test]
fn a_value_of_which_nothing_is_known_vetoes_only_what_depends_on_it() {
    let violated = "VERDICT: UNSAFE (assertion) at given.c:13";
    for body in [
        "int told = fprintf(stderr, \"told\"); shared = told; assert(shared == told && 0);",
        "int copy = elsewhere; shared = copy + 1; shared = 7; assert(shared != 7);",
        "volatile clock_t now = clock(); int kept = 3; assert(kept != 3);",
    ] {
        for engine in ENGINES {
            assert_eq!(verdict(body, engine), violated, "{engine}: {body}");
        }
    }
}

#[test]
fn what_vetoes_a_violation_is_named() {
    for (body, source) in [
        ("assert(clock() != 7);", "the result of `clock`"),
        (
            "if (elsewhere) assert(0);",
            "the value of `elsewhere`, which is defined elsewhere",
        ),
        (
            "shared = elsewhere; int seen = shared; assert(seen != 7);",
            "the value of `elsewhere`, which is defined elsewhere",
        ),
        (
            "int array[8] = {0}; array[elsewhere & 7] = 1; assert(!array[0]);",
            "the value of `elsewhere`, which is defined elsewhere",
        ),
    ] {
        for engine in ENGINES {
            let expected = format!(
                "VERDICT: UNKNOWN (the violation at given.c:13 depends on {source}, given.c:13)"
            );
            assert_eq!(verdict(body, engine), expected, "{engine}: {body}");
        }
    }
}

#[test]
fn undefined_behaviour_has_its_name_whichever_engine_meets_it() {
    for (body, name) in [
        (
            "volatile int zero = 0; return 1 / zero;",
            "division by zero",
        ),
        (
            "volatile int low = -2147483647 - 1, minus = -1; return low / minus;",
            "signed division overflows",
        ),
        (
            "volatile int width = 32; return 1 << width;",
            "shift by the width of the type or more",
        ),
        ("__builtin_unreachable();", "unreachable code is reached"),
        (
            "void (*volatile none)(void) = 0; none();",
            "call through a null pointer",
        ),
        (
            "return pthread_join(7, 0);",
            "use of the handle 7, which names no thread",
        ),
        (
            "pthread_detach(7);",
            "use of the handle 7, which names no thread",
        ),
        (
            "pthread_t t; void *(*volatile none)(void *) = 0; pthread_create(&t, 0, none, 0);",
            "the start routine of a thread is the null pointer",
        ),
        (
            "pthread_t t; pthread_create(&t, 0, routine, 0); pthread_detach(t); pthread_join(t, 0);",
            "the thread `routine#1` was detached before",
        ),
        (
            "int *inner; { int block = 1; inner = &block; } return *inner;",
            "access to `block@main`, which is out of scope",
        ),
        (
            "int *object = malloc(4); *object = 0; int *other = realloc(object, 8); return *object;",
            "access to `heap0#0`, which was freed at given.c:13",
        ),
        (
            "int *object = malloc(4); realloc(object, 0);",
            "realloc to size 0",
        ),
        (
            "int *object = malloc(4); free(object); free(object);",
            "`heap0#0` is freed twice, first at given.c:13",
        ),
        (
            "int *object = malloc(4); free(object); return *object;",
            "access to `heap0#0`, which was freed at given.c:13",
        ),
        (
            "int local[2]; free(local + 1);",
            "free of `local@main+4`, which is no heap object",
        ),
        (
            "realloc(\"constant\", 4);",
            "realloc of `\"constant\"`, which is no heap object",
        ),
        (
            "int *object = malloc(4); volatile int before = -1; object[before] = 1;",
            "access to 4 bytes at offset -4 of `heap0#0`, which has 4 bytes",
        ),
        (
            "int local[2]; volatile int before = -1; free(local + before);",
            "free of `local@main-4`, which is no heap object",
        ),
        (
            "*(char *)\"constant\" = 1;",
            "write to `\"constant\"`, which is constant",
        ),
        (
            "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_unlock(&lock);",
            "unlock of a free read-write lock",
        ),
    ] {
        for engine in ENGINES {
            let expected = format!("VERDICT: UNKNOWN (undefined behaviour ({name}) at given.c:13)");
            assert_eq!(
                verdict_on_assertions(body, engine),
                expected,
                "{engine}: {body}"
            );
        }
    }
}

/// The search finds a value for the address; what lies there means nothing.
#[test]
fn an_address_that_nobody_wrote_is_named_as_such() {
    for body in [
        "int *nowhere; *nowhere = 1;",
        "int *nowhere; free(nowhere);",
    ] {
        let expected = "VERDICT: UNKNOWN (undefined behaviour (use of an address that was never initialised) at given.c:13)";
        assert_eq!(verdict_on_assertions(body, "bmc"), expected, "{body}");
    }
}

#[test]
fn the_error_number_has_its_name() {
    let text = program(
        "extern int *__errno_location(void); *__errno_location() = 3; assert(!shared && *__errno_location() != 3);",
    );
    let given = verify_text("given.c", &text, &[]);
    assert!(
        stdout(&given).contains("errno@main := 3"),
        "{}",
        stdout(&given)
    );
}

#[test]
fn what_was_freed_before_is_named_with_the_place() {
    for (body, words) in [
        (
            "int *object = malloc(4);\nfree(object);\n*object = 1;",
            "access to `heap0#0`, which was freed at given.c:14",
        ),
        (
            "int *object = malloc(4);\nfree(object);\nfree(object);",
            "`heap0#0` is freed twice, first at given.c:14",
        ),
    ] {
        for engine in ENGINES {
            let expected =
                format!("VERDICT: UNKNOWN (undefined behaviour ({words}) at given.c:15)");
            assert_eq!(
                verdict_on_assertions(body, engine),
                expected,
                "{engine}: {body}"
            );
        }
    }
}

#[test]
fn what_is_wrong_with_memory_is_a_violation_whichever_engine_meets_it() {
    for (body, words) in [
        (
            "int *volatile none = 0;\n*none = 1;",
            "null pointer) at given.c:14",
        ),
        (
            "int *volatile none = 0;\nnone[3] = 1;",
            "null pointer) at given.c:14",
        ),
        (
            "int *volatile far = (int *)8192;\n*far = 1;",
            "wild pointer) at given.c:14",
        ),
        (
            "int *inner; { int block = 1; inner = &block; }\nreturn *inner;",
            "use after scope) at given.c:14",
        ),
        (
            "int some[2]; volatile int two = 2; some[0] = 1;\nsome[two] = 1;",
            "out of bounds) at given.c:14",
        ),
        (
            "char *text = (char *)\"constant\";\n*text = 1;",
            "write to a constant) at given.c:14",
        ),
        (
            "int *object = malloc(4); free(object);\n*object = 1;",
            "use after free) at given.c:14, freed at given.c:13 by `main`",
        ),
        (
            "int *x = malloc(4); free(x); int *y = malloc(4); int is = x == y;\nfree(y); return *x + is;",
            "use after free) at given.c:14, freed at given.c:13 by `main`",
        ),
        (
            "int *object = malloc(4); free(object);\nfree(object);",
            "double free) at given.c:14, first freed at given.c:13 by `main`",
        ),
        (
            "int *object = malloc(4); free(object);\nreturn realloc(object, 8) != 0;",
            "realloc after free) at given.c:14, freed at given.c:13 by `main`",
        ),
        (
            "int local[2];\nfree(local + 1);",
            "invalid free) at given.c:14",
        ),
    ] {
        for engine in ENGINES {
            let expected = format!("VERDICT: UNSAFE ({words}");
            assert_eq!(verdict(body, engine), expected, "{engine}: {body}");
        }
    }
}

#[test]
fn an_address_that_nobody_wrote_is_a_violation_where_it_leads_nowhere() {
    for body in [
        "int *nowhere; *nowhere = 1;",
        "int *nowhere; free(nowhere);",
    ] {
        let expected = "VERDICT: UNSAFE (uninitialised pointer) at given.c:13";
        assert_eq!(verdict(body, "bmc"), expected, "{body}");
        assert_eq!(verdict(body, "explicit"), expected, "{body}");
    }
}

#[test]
fn what_is_not_read_is_not_called_undefined() {
    let body = "int absent(void) __attribute__((weak));
  static int (*table[2])(void) = {0, absent};
  volatile int second = 1; assert(!table[second]);";
    for engine in ENGINES {
        let words = "unsupported access to `main.table`, whose initialiser is not read";
        let expected = format!("VERDICT: UNKNOWN ({words} at given.c:15)");
        assert_eq!(verdict(body, engine), expected, "{engine}");
    }
}

#[test]
fn what_is_defined_after_all_is_safe() {
    for body in [
        "volatile int one = 1; return 1 / one;",
        "volatile int low = -2147483647, minus = -1; return low / minus;",
        "volatile int width = 31; return 1u << width;",
        "if (shared) __builtin_unreachable();",
        "void (*volatile none)(void) = 0; if (none) none();",
        "int *object = malloc(4); free(object); object = 0; free(object);",
    ] {
        assert_eq!(verdict(body, "bmc"), "VERDICT: SAFE", "{body}");
    }
}

#[test]
fn values_that_were_not_tried_are_named() {
    let named = |body: &str, words: &[&str]| {
        let given = verify_text("given.c", &program(body), &["--engine", "explicit"]);
        assert_unknown(&given, words);
        let output = stdout(&given);
        assert!(!output.contains(" s0"), "{output}");
    };
    named(
        "int number = __VERIFIER_nondet_int(); assert(number * number != 3);",
        &["not all values were tried of `number` at given.c:13"],
    );
    named(
        "clock_t now = clock(); assert(now * now != 3);",
        &["not all values were tried of the result of `clock` at given.c:13"],
    );
    named(
        "int *fresh = malloc(4); assert(*fresh * *fresh != 3);",
        &["not all values were tried of the first content of `heap0#0` at given.c:13"],
    );
    let all = "int number = __VERIFIER_nondet_uchar(); assert(number * number != 3);";
    assert_eq!(verdict(all, "explicit"), "VERDICT: SAFE");
}

/// All engines meet the limit before the thread is created, and none finds the factors after that.
#[test]
fn what_was_met_before_a_limit_is_told() {
    let body = "volatile int zero = 0; if (__VERIFIER_nondet_uchar() == 7) return 1 / zero;
  pthread_t thread; pthread_create(&thread, 0, routine, 0); pthread_join(thread, 0);
  unsigned long a = (unsigned)__VERIFIER_nondet_int(), b = (unsigned)__VERIFIER_nondet_int();
  assert(a < 2 || b < 2 || a * b != 9345208821757322069UL);";
    for engine in ENGINES {
        let arguments = ["--engine", engine, "--timeout", "4"];
        let limited = verify_text("given.c", &program(body), &arguments);
        let met = "met by a run: undefined behaviour (division by zero) at given.c:13";
        assert_unknown(&limited, &[met]);
        assert_eq!(code(&limited), 5);
    }
}

#[test]
fn what_runs_before_main_is_placed_there() {
    let text = "int shared;
__attribute__((constructor)) static void prepare(int number) { shared = number; }
int main(void) {
  return shared;
}
";
    let given = verify_text("given.c", text, &["--engine", "bmc"]);
    assert_unknown(&given, &["constructor or destructor function at given.c:4"]);
}

#[test]
fn recursive_functions_may_have_aliases() {
    let text = |number: u32| {
        format!(
            "#include <assert.h>
int count(int n) {{ return n ? 1 + count(n - 1) : 0; }}
int other(int n) __attribute__((alias(\"count\")));
int main(void) {{ assert(other(3) == {number}); return 0; }}
"
        )
    };
    let last = |number| last_line(&verify_text("given.c", &text(number), &["--engine", "bmc"]));
    assert_eq!(last(3), "VERDICT: SAFE");
    assert_eq!(last(4), "VERDICT: UNSAFE (assertion) at given.c:4");
}

#[test]
fn a_run_in_which_a_number_looks_like_an_address_is_no_internal_error() {
    let text = "#include <assert.h>
#include <stdlib.h>
static char place;
int main(void) {
  union { void *address; unsigned long number; unsigned char bytes[8]; } *word = malloc(sizeof *word);
  word->bytes[7] = 0;
  if (word->number == 1) word->address = &place;
  word->bytes[0] = 0;
  assert(word->bytes[7] == 0);
  return 0;
}
";
    let given = verify_text("given.c", text, &["--engine", "ic3-exact"]);
    assert_unknown(&given, &["looks like an address"]);
}
