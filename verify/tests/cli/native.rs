//! `verify run` and `verify --replay`: native runs.

use std::process::Output;

use tempfile::TempDir;

use crate::common::{
    SAFE, UNSAFE, assert_refused, bitcode, code, last_line, shell, stderr, stdout, verify,
    verify_bytes,
};
use crate::library::make_library;

fn run(arguments: &[&str]) -> Output {
    make_library();
    verify(&[&["run"], arguments].concat())
}

/// The path of a program given as text, in a directory of its own.
fn given(text: &str) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("given.c");
    std::fs::write(&file, text).expect("the directory is writable");
    let path = file.to_string_lossy().into_owned();
    (directory, path)
}

/// A file with the schedule of an example, in a directory of its own.
fn schedule(example: &str) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.schedule");
    let path = file.to_string_lossy().into_owned();
    let found = verify(&[example, "--schedule-out", &path]);
    assert_eq!(code(&found), 10, "{}", stderr(&found));
    (directory, path)
}

fn replay(example: &str, schedule: &str) -> Output {
    make_library();
    verify(&[example, "--replay", schedule])
}

#[test]
fn a_native_run_prints_and_ends_as_the_program_does() {
    let text = "#include <stdio.h>\nint main(int count) {\n  puts(\"said\");\n  return count;\n}\n";
    let (_directory, file) = given(text);
    let ended = run(&[&file, "--", "--json", "last"]);
    assert_eq!(stdout(&ended), "said\n", "{}", stderr(&ended));
    assert_eq!(code(&ended), 3);
}

#[test]
fn a_native_run_says_what_is_violated() {
    let violated = run(&["../tests/native/assertion_fails.c"]);
    // As a shell has it: the signal that ends a program which aborts.
    assert_eq!(code(&violated), 128 + 6, "{}", stderr(&violated));
    let said = stderr(&violated);
    assert!(said.contains("mazurka: violated by t0 at "), "{said}");
    assert_eq!(code(&run(&["../tests/native/mutex_sum.c"])), 0);
}

#[test]
fn what_cannot_run_is_refused() {
    assert_refused(&run(&["missing.c"]), 2, &["`missing.c`", "No such file"]);
    assert_refused(&run(&["README.md"]), 2, &["`README.md`", ".bc"]);
    assert_refused(&run(&[]), 2, &["standard input is empty"]);
    assert_refused(&run(&[SAFE, "--engine", "bmc"]), 1, &["--engine"]);
    let text = "int elsewhere(void);\nint main(void) { return elsewhere(); }\n";
    let (_directory, file) = given(text);
    let words = ["linked", "elsewhere"];
    assert_refused(&run(&[&file]), 2, &words);
    assert_refused(&verify_bytes(&bitcode(&file), &["run"]), 2, &words);
    let elsewhere = shell(&format!(
        "MAZURKA_RUNTIME=/missing/libruntime.a \"$verify\" run {SAFE}"
    ));
    assert_refused(
        &elsewhere,
        1,
        &["MAZURKA_RUNTIME", "`/missing/libruntime.a`"],
    );
}

#[test]
fn without_a_place_for_the_executable_nothing_runs() {
    make_library();
    let nowhere = shell(&format!("TMPDIR=/nonexistent \"$verify\" run {SAFE}"));
    let words = ["temporary directory", "`/nonexistent`", "TMPDIR names"];
    assert_refused(&nowhere, 1, &words);
    // What needs no directory does not ask for one.
    let verified = shell(&format!("TMPDIR=/nonexistent \"$verify\" {SAFE}"));
    assert_eq!(code(&verified), 0, "{}", stderr(&verified));
}

#[test]
fn a_native_run_has_the_input_of_the_verifier() {
    // The library has no model of this function.
    let text = "int getchar_unlocked(void);\nint main(void) { return getchar_unlocked() - getchar_unlocked(); }\n";
    let (_directory, file) = given(text);
    make_library();
    let ended = shell(&format!("echo db | \"$verify\" run {file}"));
    assert_eq!(code(&ended), 2, "{}", stderr(&ended));
}

#[test]
fn a_replay_violates_what_the_verdict_says() {
    let (_directory, file) = schedule(UNSAFE);
    let found = last_line(&verify(&[UNSAFE]));
    let place = found.strip_prefix("VERDICT: UNSAFE (assertion) at ");
    let place = place.expect("the example is violated");
    let replayed = replay(UNSAFE, &file);
    assert_eq!(
        last_line(&replayed),
        format!("REPLAY: CONFIRMED (assertion) at {place}"),
        "{}",
        stderr(&replayed)
    );
    assert_eq!(code(&replayed), 10);
}

/// The system says nothing of a process any more once its first thread is over.
#[test]
fn a_replay_knows_the_place_after_the_end_of_the_main_thread() {
    let text = "#include <pthread.h>
extern void __VERIFIER_error(void);
static void *work(void *argument) {
  (void)argument;
  __VERIFIER_error();
  return NULL;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_exit(NULL);
}
";
    let (_directory, file) = given(text);
    make_library();
    let (_other, schedule) = schedule(&file);
    let replayed = replay(&file, &schedule);
    let line = last_line(&replayed);
    assert!(line.starts_with("REPLAY: CONFIRMED ("), "{line}");
    assert!(line.ends_with(":5"), "{line}");
}

/// The model finds the violation by a number of arguments, which a native run is not given. That one passes by the assertion, says
/// what the runtime would say, and ends where the runtime has no say: its stack overflows.
#[test]
fn a_program_cannot_confirm_its_own_violation() {
    let text = "#include <assert.h>
#include <stdio.h>
int main(int count, char **arguments) {
  assert(count != 12345 || !arguments);
  perror(\"mazurka: violated by t0 at forged.c:4\\n\");
  printf(\"violated by t0 at forged.c:4\\n\");
  fflush(stdout);
  volatile int size = 1 << 26;
  char large[size];
  large[0] = 1;
  return large[0];
}
";
    make_library();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [file, schedule] = ["forged.c", "run.schedule"].map(|name| directory.path().join(name));
    std::fs::write(&file, text).expect("the directory is writable");
    let [file, schedule] = [&file, &schedule].map(|path| path.to_str().expect("UTF-8"));
    let found = verify(&[file, "--engine", "bmc", "--schedule-out", schedule]);
    assert_eq!(code(&found), 10, "{}", stderr(&found));
    let replayed = verify(&[file, "--replay", schedule]);
    let line = last_line(&replayed);
    let start = "REPLAY: NOT ENFORCEABLE (`count`, ";
    assert!(
        line.starts_with(start) && line.ends_with("/forged.c:4)"),
        "{line} {}",
        stderr(&replayed)
    );
    assert_eq!(code(&replayed), 7);
}

/// What no machine can be made to do is told apart from a run that differs although all its choices are enforced.
#[test]
fn choices_that_cannot_be_enforced_are_named() {
    make_library();
    for (body, what) in [
        (
            "int main(int count, char **arguments) {
assert(count != 3 || !arguments); }",
            "`count`",
        ),
        (
            "extern int __VERIFIER_nondet_int(void);
int main(void) { int fresh[2]; assert(fresh[__VERIFIER_nondet_int() & 1] != 5); }",
            "the first content of `fresh@main`",
        ),
    ] {
        let (_directory, file) = given(&format!("#include <assert.h>\n{body}\n"));
        let schedule = format!("{file}.schedule");
        let found = verify(&[&file, "--schedule-out", &schedule]);
        assert_eq!(code(&found), 10, "{} {}", last_line(&found), stderr(&found));
        let replayed = verify(&[&file, "--replay", &schedule]);
        let line = last_line(&replayed);
        let start = format!("REPLAY: NOT ENFORCEABLE ({what}, ");
        assert!(
            line.starts_with(&start) && line.ends_with("/given.c:3)"),
            "{line} {}",
            stderr(&replayed)
        );
        assert_eq!(code(&replayed), 7);
    }
}

/// A weak compare-and-swap fails where the run needs it, and writes nothing then.
#[test]
fn weak_exchanges_fail_where_the_run_needs_it() {
    make_library();
    let exchange = "atomic_compare_exchange_weak(&shared, &old, 1)";
    for (body, of_strong) in [
        (format!("assert({exchange});"), 2),
        (format!("assert(!{exchange} || shared == 0);"), 10),
        (
            format!("if (!{exchange}) assert(old || {exchange} || shared);"),
            2,
        ),
        (
            format!("if (!{exchange} && !old && {exchange}) assert(shared != 1);"),
            2,
        ),
    ] {
        let (_directory, file) = given(&format!(
            "#include <assert.h>\n#include <stdatomic.h>\natomic_int shared;\n\
             int main(void) {{ int old = 0; {body} }}\n"
        ));
        let schedule = format!("{file}.schedule");
        let found = verify(&[&file, "--schedule-out", &schedule]);
        assert_eq!(code(&found), 10, "{body} {}", last_line(&found));
        let replayed = replay(&file, &schedule);
        assert_eq!(code(&replayed), 10, "{body} {}", last_line(&replayed));
        let strong = std::fs::read_to_string(&file).expect("a program");
        std::fs::write(&file, strong.replace("_weak", "_strong")).expect("writable");
        assert_eq!(code(&replay(&file, &schedule)), of_strong, "{body}");
    }
}

/// Whether time is over before something else happens is a choice of the run.
#[test]
fn time_is_over_where_the_run_needs_it() {
    make_library();
    for body in [
        "sem_t free; sem_init(&free, 0, 1); assert(sem_timedwait(&free, &past));",
        "sem_t none; sem_init(&none, 0, 0); assert(!sem_timedwait(&none, &past));",
        "pthread_mutex_lock(&mutex); assert(pthread_mutex_timedlock(&mutex, &past) != ETIMEDOUT);",
        "pthread_rwlock_rdlock(&lock); assert(pthread_rwlock_timedwrlock(&lock, &past) != ETIMEDOUT);",
        "pthread_mutex_lock(&mutex); assert(pthread_cond_timedwait(&condition, &mutex, &past) != ETIMEDOUT);",
    ] {
        let (_directory, file) = given(&format!(
            "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int main(void) {{ struct timespec past = {{0, 0}}; {body} }}
"
        ));
        let schedule = format!("{file}.schedule");
        let found = verify(&[&file, "--schedule-out", &schedule]);
        assert_eq!(code(&found), 10, "{body} {}", last_line(&found));
        let replayed = replay(&file, &schedule);
        assert_eq!(code(&replayed), 10, "{body} {}", last_line(&replayed));
    }
}

/// The native run does what is asked for: a strong exchange fails because memory differs, fresh memory is zero, a new address is new.
#[test]
fn choices_that_machines_make_anyway_are_confirmed() {
    make_library();
    let text = "#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int shared = 1;
int main(void) {
  int old = 0, *zero = calloc(1, 4);
  if (!atomic_compare_exchange_weak(&shared, &old, 2)) assert(*zero);
}
";
    let (_directory, file) = given(text);
    let schedule = format!("{file}.schedule");
    let found = verify(&[&file, "--engine", "bmc", "--schedule-out", &schedule]);
    assert_eq!(code(&found), 10, "{} {}", last_line(&found), stderr(&found));
    let replayed = verify(&[&file, "--replay", &schedule]);
    assert_eq!(code(&replayed), 10, "{}", last_line(&replayed));
}

/// Memory that is fresh holds what the counterexample needs: parts of an object, also where another one was copied to.
#[test]
fn fresh_memory_holds_what_the_run_needs() {
    make_library();
    for body in [
        "short *fresh = malloc(8); fresh[1] = 5; assert(fresh[0] != 12345 || fresh[1] != 5 || fresh[2] != 321);",
        "char *fresh = malloc(2), copy[2]; memcpy(copy, fresh, 2); assert(copy[0] != 7 || copy[1] != 9);",
        "long *fresh = malloc(8); fresh = realloc(fresh, 16); assert(fresh[0] != 7 || fresh[1] != 1l << 60);",
        "for (int i = 0; i < 2; i++) { int *fresh = malloc(4); assert(!i || *fresh != 3); }",
    ] {
        let (_directory, file) = given(&format!(
            "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{ {body} }}\n"
        ));
        let schedule = format!("{file}.schedule");
        let found = verify(&[&file, "--engine", "bmc", "--schedule-out", &schedule]);
        assert_eq!(code(&found), 10, "{body} {}", stderr(&found));
        let replayed = replay(&file, &schedule);
        assert_eq!(code(&replayed), 10, "{body} {}", last_line(&replayed));
    }
}

/// A new object lies where the counterexample has it: where another one lay, or at an address that was never used. That is so under
/// AddressSanitizer, too, which notices invalid uses of such memory all the same.
#[test]
fn addresses_are_used_again_where_the_run_needs_it() {
    make_library();
    for (property, body, what) in [
        (
            "unreach-call",
            "int *old = malloc(4); free(old); int *new = malloc(400000); assert(new != old);",
            "assertion",
        ),
        (
            "unreach-call",
            "int *old = malloc(4); free(old); int *new = malloc(4); assert(new == old);",
            "assertion",
        ),
        (
            "unreach-call",
            "int *one = malloc(4), *two = malloc(4); free(one); free(two);
             int *three = malloc(4), *four = calloc(1, 4); assert(three != two || four != one);",
            "assertion",
        ),
        (
            "valid-deref",
            "int *old = malloc(4); free(old); int *new = malloc(4); if (new == old) { free(new); *old = 1; }",
            "use after free",
        ),
        (
            "valid-deref",
            "char *old = malloc(8); free(old); char *new = malloc(5); if (new == old) new[5] = 1;",
            "out of bounds",
        ),
        (
            "valid-deref",
            "char *old = malloc(5); free(old); char *new = malloc(8); if (new == old) new[7] = 1, new[8] = 1;",
            "out of bounds",
        ),
        (
            "valid-free",
            "int *old = malloc(4); free(old); int *new = malloc(4); if (new == old) free(new), free(old);",
            "double free",
        ),
        (
            "valid-free",
            "int *old = malloc(8); free(old); int *new = malloc(8); if (new == old) free(new + 1);",
            "invalid free",
        ),
    ] {
        let (_directory, file) = given(&format!(
            "#include <assert.h>\n#include <stdlib.h>\nint main(void) {{ {body} }}\n"
        ));
        let schedule = format!("{file}.schedule");
        let options = [&file, "--property", property];
        let found = verify(&[&options[..], &["--schedule-out", &schedule]].concat());
        assert_eq!(code(&found), 10, "{body} {}", last_line(&found));
        let replayed = verify(&[&options[..], &["--replay", &schedule]].concat());
        let confirmed = format!("REPLAY: CONFIRMED ({what}) at ");
        assert!(
            last_line(&replayed).starts_with(&confirmed),
            "{body} {}",
            last_line(&replayed)
        );
    }
}

/// Functions and variables of the program do not replace what the runtime calls, even if they are machine code (here, of an
/// instruction that does not exist).
#[test]
fn names_of_the_c_library_are_the_programs_own() {
    let text = "#include <assert.h>
__attribute__((section(\".text\"), used)) const unsigned char read[] = {0x0f, 0x0b};
int write, close, fcntl, getenv, dup2;
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  assert(__VERIFIER_nondet_uchar() != 77);
  return write + close + fcntl + getenv + dup2;
}
";
    make_library();
    let (_directory, file) = given(text);
    let schedule = format!("{file}.schedule");
    let found = verify(&[&file, "--engine", "bmc", "--schedule-out", &schedule]);
    assert_eq!(code(&found), 10, "{}", stderr(&found));
    let replayed = verify(&[&file, "--replay", &schedule]);
    assert_eq!(code(&replayed), 10, "{}", last_line(&replayed));
    assert_ne!(code(&run(&[&file])), 139);
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let (_directory, file) = schedule("counter_racy.c");
    let replayed = replay(UNSAFE, &file);
    assert_refused(&replayed, 2, &["the schedule is none of this program"]);
}

#[test]
fn what_is_no_schedule_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.schedule");
    let path = file.to_string_lossy();
    let remedy = "`verify --schedule-out` writes one";
    assert_refused(&replay(UNSAFE, &path), 2, &[&path, "No such file", remedy]);
    for text in ["t0 1\nt1 many\n", "\u{0}\n", "t0 -1\n"] {
        std::fs::write(&file, text).expect("the directory is writable");
        assert_refused(&replay(UNSAFE, &path), 2, &[&path, "line", remedy]);
    }
    std::fs::write(&file, "t0 1\n").expect("the directory is writable");
    let missing = replay("missing.c", &path);
    assert_refused(&missing, 2, &["`missing.c`", "No such file"]);
    let both = verify(&[UNSAFE, "--replay", &path, "--json"]);
    assert_refused(&both, 1, &["--replay", "--json"]);
}
