//! Accesses to variables whose lifetimes are over, and uses of handles whose threads were joined or detached, are undefined; their
//! right twins are not.

use crate::common::c::{PRELUDE, limits, outcome};
use explicit::explore::SearchVerdict;

const DATA: &str = "static int *p; static pthread_t h; static volatile int zero;\n\
    static void *increment(void *a) { ++*(int *)a; return 0; } static void *nothing(void *a) { return a; }\n\
    static void *own(void *a) { int x = 1; p = &x; return a; } static _Thread_local int t;\n\
    static void *own_static(void *a) { p = &t; return a; } static void *detach(void *a) { pthread_detach(pthread_self()); return a; }\n\
    static int *returned(void) { int x = 1; int *q = &x; return q; }\n\
    static int *returned_early(int n) { int x = n; p = &x; if (n) return p; x = 2; return p; }\n\
    static void start(void) { int x = 1; pthread_create(&h, 0, increment, &x); }\n\
    static void start_and_wait(void) { int x = 1; pthread_create(&h, 0, increment, &x); pthread_join(h, 0); }\n\
    static void *ends_deep(void *a) { int x = 1; p = &x; if (a) pthread_exit(0); return a; }\n\
    static void *join_h(void *a) { pthread_join(h, 0); return a; }\n";

fn program(main: &str) -> String {
    format!("{PRELUDE}{DATA}\nint main(void) {{ {main} return 0; }}\n")
}

fn reasons(main: &str) -> Vec<String> {
    limits(&outcome(&program(main), &["-w"]), main)
}

fn is_undefined(main: &str) {
    let reasons = reasons(main);
    assert!(
        reasons.iter().all(|reason| reason.contains("undefined")),
        "{reasons:?}\n{main}"
    );
}

fn is_defined(main: &str) {
    let found = outcome(&program(main), &["-w"]);
    assert!(
        matches!(found, SearchVerdict::Safe(())),
        "{found:?}\n{main}"
    );
}

#[test]
fn variables_of_blocks_end_with_them() {
    is_undefined("{ int x = 1; p = &x; } *p = 2;");
    is_undefined("int *q; { int x = 1; q = &x; } return *q;");
    is_undefined("for (int i = 0; i < 2; i++) { if (i) *p = 1; int x; p = &x; }");
    is_undefined("{ int x[2]; p = x; goto out; } out: p[zero] = 1;");
    is_undefined("switch (zero) { case 0: { int x; p = &x; break; } } *p = 1;");
    is_undefined("p = ({ int x = 1; &x; }); *p = 2;");
    is_defined("{ int x = 1; p = &x; *p = 2; }");
    is_defined("int x; { p = &x; } *p = 2;");
    is_defined("for (int i = 0; i < 2; i++) { int x; p = &x; *p = i; if (i) continue; *p = 2; }");
    is_defined("int x; switch (zero) { case 0: { p = &x; break; } } *p = 1;");
}

#[test]
fn variables_of_functions_end_with_them() {
    is_undefined("*returned() = 2;");
    is_undefined("*returned_early(0) = 2;");
    is_undefined("*returned_early(1) = 2;");
    is_defined("p = returned(); returned_early(0); returned_early(1);");
}

#[test]
fn a_thread_may_use_a_variable_of_another_only_while_that_lives() {
    is_undefined("start(); pthread_join(h, 0);");
    is_defined("start_and_wait();");
    is_undefined("int x = 1; pthread_create(&h, 0, increment, &x);");
    is_defined("int x = 1; pthread_create(&h, 0, increment, &x); pthread_join(h, 0);");
    is_undefined("int x = 1; pthread_create(&h, 0, increment, &x); pthread_exit(0);");
    is_undefined("int x = pthread_equal(h, pthread_self()); pthread_create(&h, 0, increment, &x);");
}

#[test]
fn variables_of_threads_end_with_them() {
    for routine in ["own", "own_static", "ends_deep"] {
        let run = format!("pthread_create(&h, 0, {routine}, &h); pthread_join(h, 0);");
        is_undefined(&format!("{run} *p = 2;"));
        is_defined(&run);
    }
    is_defined("p = &t; *p = 2;");
}

#[test]
fn a_thread_is_joined_or_detached_once() {
    let create = "pthread_create(&h, 0, nothing, 0);";
    let (join, detach) = ("pthread_join(h, 0);", "pthread_detach(h);");
    is_defined(&format!("{create} {join}"));
    is_defined(&format!("{create} {detach}"));
    for [first, second] in [
        [join, join],
        [join, detach],
        [detach, join],
        [detach, detach],
    ] {
        is_undefined(&format!("{create} {first} {second}"));
    }
    is_undefined("pthread_create(&h, 0, detach, 0); pthread_join(h, 0);");
    is_undefined(
        "pthread_t other; pthread_create(&h, 0, nothing, 0); pthread_create(&other, 0, join_h, 0); pthread_join(h, 0);",
    );
    is_undefined("pthread_join(h, 0);");
    is_undefined("pthread_detach(h);");
    is_defined("if (pthread_join(pthread_self(), 0) != 35) reach_error();");
}

#[test]
fn the_reason_says_what_is_dead() {
    let only = |main: &str, words: &str| {
        let reasons = reasons(main);
        assert!(
            reasons.len() == 1 && reasons[0].contains(words),
            "{reasons:?}"
        );
    };
    only("{ int x = 1; p = &x; } *p = 2;", "out of scope");
    only(
        "pthread_create(&h, 0, own, 0); pthread_join(h, 0); *p = 2;",
        "has ended",
    );
    only(
        "pthread_create(&h, 0, nothing, 0); pthread_join(h, 0); pthread_join(h, 0);",
        "joined before",
    );
    only(
        "pthread_create(&h, 0, nothing, 0); pthread_detach(h); pthread_join(h, 0);",
        "detached",
    );
}

#[test]
fn a_thread_may_run_before_its_handle_is_stored() {
    let text = format!(
        "{PRELUDE}pthread_t h; void *look(void *a) {{ if (!pthread_equal(h, pthread_self())) reach_error(); return a; }}\n\
         int main(void) {{ pthread_create(&h, 0, look, 0); return 0; }}\n"
    );
    assert!(matches!(outcome(&text, &[]), SearchVerdict::Unsafe(_)));
}
