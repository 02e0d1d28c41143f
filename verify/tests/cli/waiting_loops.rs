//! The engine `eventgraph` leaves out rounds of loops that change nothing, and no others.

use crate::common::{last_line, verify_text};

/// `main` executes statements beside a thread that executes others.
fn program(globals: &str, thread: &str, main: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n\
         {globals}\n\
         static void *work(void *argument) {{\n{thread}\nreturn argument;\n}}\n\
         int main(void) {{\n    pthread_t thread;\n    pthread_create(&thread, 0, work, 0);\n{main}\nreturn 0;\n}}\n"
    )
}

/// What the engine says under two reductions.
fn asked(program: &str) -> [String; 2] {
    ["none", "static"].map(|reduction| {
        let words = [
            "--engine=eventgraph",
            "--unwind=4",
            "--timeout=60",
            "--reduction",
            reduction,
        ];
        last_line(&verify_text("waits.c", program, &words))
    })
}

#[test]
fn a_loop_that_only_waits_is_not_unwound() {
    for (globals, thread, main) in [
        // Reads again what somebody else writes.
        (
            "_Atomic int x, y;",
            "x = 1; y = 1;",
            "while (!y) ; assert(x);",
        ),
        // Writes what is there already.
        (
            "_Atomic int held, inside;",
            "while (atomic_exchange(&held, 1)) ; inside++; assert(inside == 1); inside--; held = 0;",
            "while (atomic_exchange(&held, 1)) ; inside++; assert(inside == 1); inside--; held = 0;",
        ),
        // Writes a variable of its own, which holds at the header what it held before.
        (
            "_Atomic int held, inside;",
            "int free = 0; while (!atomic_compare_exchange_strong(&held, &free, 1)) free = 0; inside++; held = 0;",
            "int free; do { free = 0; } while (!atomic_compare_exchange_strong(&held, &free, 1)); \
             assert(inside < 2); held = 0;",
        ),
        // Decides for itself how often.
        (
            "_Atomic int x;",
            "x++;",
            "while (__VERIFIER_nondet_bool()) ; assert(x < 2);",
        ),
        // Changes something in the first round alone.
        (
            "_Atomic int x, y;",
            "assert(x < 2); y = 1;",
            "while (!y) if (!x) x = 1; assert(x < 2);",
        ),
        // Takes a lock and gives it back.
        (
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; _Atomic int x;",
            "x = 1;",
            "for (;;) { __VERIFIER_atomic_begin(); pthread_mutex_lock(&m); int y = x; \
             pthread_mutex_unlock(&m); __VERIFIER_atomic_end(); if (y) break; } assert(x);",
        ),
    ] {
        let text = program(globals, thread, main);
        for verdict in asked(&text) {
            assert_eq!(verdict, "VERDICT: SAFE", "{text}");
        }
    }
}

/// A critical section is one event under the static reduction, and nobody sees the lock taken.
#[test]
fn a_lock_that_is_given_back_is_as_before() {
    let text = program(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        "int y; do { pthread_mutex_lock(&m); y = x; pthread_mutex_unlock(&m); } while (!y); assert(y == 1);",
    );
    let [unreduced, reduced] = asked(&text);
    assert!(unreduced.starts_with("VERDICT: UNKNOWN"), "{unreduced}");
    assert_eq!(reduced, "VERDICT: SAFE");
}

#[test]
fn rounds_that_change_something_are_left_in() {
    for (globals, thread, main) in [
        // A register.
        (
            "_Atomic int x;",
            "x = 1;",
            "int i = 0, last = __VERIFIER_nondet_bool() + 1; while (x) if (i++ == last) assert(0);",
        ),
        // A variable of its own.
        (
            "_Atomic int x;",
            "x = 1;",
            "int i[] = {0, 0}, which = __VERIFIER_nondet_bool(); while (x) if (i[which]++ == 2) assert(0);",
        ),
        // What others see, for a moment, and again: only this thread writes it.
        (
            "_Atomic int x, y;",
            "int a = y, b = y, c = y; assert(!(a && !b && c));",
            "while (!x) { y = 1; y = 0; }",
        ),
        // The same, of both threads.
        (
            "_Atomic int x, y;",
            "int a = y, b = y, c = y; y = 2; assert(!(a == 1 && !b && c == 1));",
            "while (!x) { y = 1; y = 0; }",
        ),
        // What is read and written back, after something else was there.
        (
            "_Atomic int x, y;",
            "int a = y, b = y, c = y; assert(!(a && !b && c));",
            "while (!x) { y++; y--; }",
        ),
        // A lock, which the other thread does not get meanwhile.
        (
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; _Atomic int x;",
            "int a = pthread_mutex_trylock(&m), b = pthread_mutex_trylock(&m);\n\
             if (!b) pthread_mutex_unlock(&m);\n\
             assert(!(a && !b && pthread_mutex_trylock(&m)));",
            "while (!x) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }",
        ),
        // At the header no other thread runs, but on the way back to it others do.
        (
            "_Atomic int x;",
            "x = 1;",
            "__VERIFIER_atomic_begin(); int before = x; while (__VERIFIER_nondet_bool()) { \
             __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); } assert(before == x); __VERIFIER_atomic_end();",
        ),
        // One of two ways through the loop lets others run at another place than the other way.
        (
            "_Atomic int x, y;",
            "x = 1; y = 1;",
            "int last = 0; while (!__VERIFIER_nondet_bool()) { \
             if (__VERIFIER_nondet_bool()) last = x; else last = y + 1; assert(last != 2); last = 0; }",
        ),
        // On one way through the loop no others run.
        (
            "_Atomic int x;",
            "x = 1;",
            "int i = 0; while (__VERIFIER_nondet_bool()) { \
             if (__VERIFIER_nondet_bool()) i++; else if (x) assert(i != 3); }",
        ),
        // Others run in an inner loop first.
        (
            "_Atomic int x, y;",
            "x = 1;",
            "int i = 0; for (;;) { while (x) if (__VERIFIER_nondet_bool()) break; if (i++ == 2) assert(0); y = i; }",
        ),
        // The loop is entered in its middle, where more has happened than in a round.
        (
            "_Atomic int x, y;",
            "x = 3; assert(y < 2);",
            "if (__VERIFIER_nondet_bool()) { x = 5; goto middle; }\n\
             while (__VERIFIER_nondet_bool()) { assert(x != 5); middle: y = 1; }",
        ),
    ] {
        let text = program(globals, thread, main);
        for verdict in asked(&text) {
            assert!(verdict.starts_with("VERDICT: UNSAFE"), "{verdict}\n{text}");
        }
    }
}
