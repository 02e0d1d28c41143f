//! Operations without meaning that LLVM folds or gives a value of its choice: where the value is used, the run is followed
//! no further, so that it neither proves nor violates anything.

use crate::common::c::{PRELUDE, limits, outcome};
use explicit::explore::SearchVerdict;

fn program(declarations: &str, main: &str) -> String {
    format!("{PRELUDE}{declarations}\nint main(void) {{ {main} return 0; }}\n")
}

/// Every run ends in the statements; what comes behind them is not reached.
fn undefined(declarations: &str, main: &str) {
    for end in ["", "reach_error();"] {
        let found = outcome(
            &program(declarations, &format!("{main} {end}")),
            &["-O0", "-w"],
        );
        let reasons = limits(&found, main);
        assert!(
            reasons.iter().all(|reason| reason.contains("undefined")),
            "{reasons:?}\n{main}"
        );
    }
}

/// No run ends in the statements, and what comes behind them is reached.
fn defined(declarations: &str, main: &str) {
    for optimisation in ["-O0", "-O2"] {
        let proved = outcome(&program(declarations, main), &[optimisation]);
        assert!(
            matches!(proved, SearchVerdict::Safe(())),
            "{optimisation}: {proved:?}\n{main}"
        );
        let reached = outcome(
            &program(declarations, &format!("{main} reach_error();")),
            &[optimisation],
        );
        assert!(
            matches!(reached, SearchVerdict::Unsafe(_)),
            "{optimisation}: {reached:?}\n{main}"
        );
    }
}

const DATA: &str = "volatile int n = 40, zero, one = 1; volatile unsigned char c = 250; volatile long l = 64; int a[4];\n\
    struct bits { int low : 5; int high; } s; static int get(void) { return 1 / 0; } static void put(int v) { a[0] = v; }\n\
    typedef int v4 __attribute__((vector_size(16))); v4 v = {1, 2, 3, 4}, w = {1, 0, 1, 1};\n";

#[test]
fn constants_that_the_compiler_folds() {
    for statement in [
        "int x = 1 / 0;",
        "int x = 1 % 0; a[1] = x;",
        "int x = 1 << 40;",
        "int x = (-2147483647 - 1) / -1;",
        "long x = 1L << 64;",
        "unsigned x = 1u >> 32;",
        "if (1 / 0) a[1] = 1;",
        "if (1 / 0 == 5) reach_error();",
        "switch (1 / 0) { case 1: reach_error(); }",
        "int x = one ? 1 / 0 : 5;",
        "int x = one && 1 / 0;",
        "int x = zero || 1 << 40;",
        "int x = get();",
        "put(1 << 40);",
        "s.low = 1 / 0;",
        "a[one] = 1 / 0;",
        "int b[2]; b[1 / 0] = 1;",
        "__VERIFIER_assume(1 / 0);",
        "int x = (1 / 0 + n) & 0;",
    ] {
        undefined(DATA, statement);
    }
}

#[test]
fn shifts_by_the_width_or_more() {
    for statement in [
        "int x = n << 40;",
        "int x = n >> -1;",
        "int x = one << n;",
        "int x = one >> (zero - 1);",
        "unsigned x = 1u << n; if (x == 0) reach_error();",
        "n << 40;",
        "one << n;",
        "char x = one; x <<= c;",
        "long x = l << l;",
        "int x = (one << n) & 0;",
        "if (one << n) reach_error();",
        "int x = one ? one << n : 5;",
        "int x = one && one << n;",
        "a[0] = one; a[0] <<= n;",
        "int x = (one << n) << n;",
        "int x = one << (one << n);",
    ] {
        undefined(DATA, statement);
    }
}

#[test]
fn vectors_are_checked_element_by_element() {
    for statement in [
        "v4 x = v / w;",
        "v4 x = v % w;",
        "v / w;",
        "v4 x = v << (v4){1, 2, 32, 3};",
        "v4 x = v >> (v * 10);",
        "int x = v[n];",
        "v[n] = 1;",
        "int x = v[7];",
    ] {
        undefined(DATA, statement);
    }
    defined(
        DATA,
        "v4 x = (v / (w + 1)) + (v << (v4){1, 2, 31, 3}) + (v >> v); x[one + 2] = v[3]; if (x[3] != 4) reach_error();",
    );
}

#[test]
fn what_is_not_chosen_does_not_matter() {
    let data = "int out;";
    for statement in [
        "unsigned k = __VERIFIER_nondet_uchar(); out = k < 32 ? 1u << k : 0;",
        "unsigned k = __VERIFIER_nondet_uchar(); if (k < 32) out = 5 >> k;",
        "unsigned k = __VERIFIER_nondet_uchar(); unsigned x = 0; if (k < 32) x = 1u << k; if (x > 4) out = x;",
        "unsigned k = __VERIFIER_nondet_uchar(); switch (k) { case 1: case 5: case 7: case 9: case 12: out = 1; break; default: out = 2; }",
        "unsigned k = __VERIFIER_nondet_uchar() % 32; out = (k << 3) | (7u >> (k % 8)); out <<= k;",
        "for (unsigned k = 0; k < 5; k++) out += 1 << k;",
        "unsigned k = __VERIFIER_nondet_uchar(); out = k < 32 ? (short)(49040u << k) / 20490 : 0;",
        "int x = out ? 1 / 0 : 5; out = x;",
    ] {
        defined(data, statement);
    }
}

/// An optimising compiler passes poison for parameters that the function does not use.
#[test]
fn arguments_that_are_ignored_do_not_matter() {
    let data = "int out; __attribute__((noinline)) int next(int x, int *unused) { return x + 1; }";
    defined(data, "out = next(out, &out);");
}

#[test]
fn a_run_is_followed_up_to_it() {
    let text = program(DATA, "if (zero == 0) reach_error(); int x = 1 / 0;");
    assert!(matches!(
        outcome(&text, &["-O0", "-w"]),
        SearchVerdict::Unsafe(_)
    ));
}
