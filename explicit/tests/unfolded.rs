//! What is undefined or arbitrary stays so although LLVM could draw conclusions from it: searching all interleavings finds
//! the limit or the violation. And library functions give every value they may give, and no other.

use crate::common::c::{limits, read, search};
use explicit::explore::SearchVerdict;

fn outcome(declarations: &str, main: &str) -> SearchVerdict {
    let text = format!(
        "#include <assert.h>\n#include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\n{declarations}\nint main(void) {{ {main} return 0; }}\n"
    );
    search(&read(&text, &["-O0"]))
}

fn holds(main: &str) {
    let found = outcome("", main);
    assert!(
        !matches!(found, SearchVerdict::Unsafe(_)),
        "{found:?}\n{main}"
    );
}

fn fails(main: &str) {
    let found = outcome("", main);
    assert!(
        matches!(found, SearchVerdict::Unsafe(_)),
        "{found:?}\n{main}"
    );
}

fn reaches_limit(declarations: &str, main: &str, limit: &str) {
    let found = outcome(declarations, main);
    let reasons = limits(&found, main);
    assert!(
        reasons.iter().any(|reason| reason.contains(limit)),
        "{reasons:?}\n{main}"
    );
}

#[test]
fn divisions_are_not_taken_to_be_defined() {
    let x = "unsigned char n = __VERIFIER_nondet_uchar(); int x = n & 1;";
    for property in [
        "12u / (unsigned)x <= 12u",
        "x / x == 1",
        "x % x == 0",
        "0 / x == 0",
    ] {
        reaches_limit("", &format!("{x} assert({property});"), "undefined");
    }
    let choice = format!("{x} int d = x ? 0 : 5; int q = 12 / d; assert(x == 0 && q == 2);");
    reaches_limit("", &choice, "undefined");
    reaches_limit("", "int zero = 0; assert(7 / zero == 7);", "undefined");
    reaches_limit("", "int zero = 0; 7 % zero;", "undefined");
    let least = "int least = -0x7fffffff - 1, minus = -1; assert(least / minus == 0);";
    reaches_limit("", least, "undefined");
    let wide = "__int128 least = (__int128)1 << 127, minus = -1; assert(least / minus == 0);";
    reaches_limit("", wide, "undefined");
    holds("int n = -7, m = -1; assert(n / m == 7 && n % m == 0);");
}

#[test]
fn accesses_outside_of_a_variable_are_undefined() {
    for main in [
        "int a[2]; a[2] = 1;",
        "int a[2] = {0, 0}; int x = a[3]; assert(x == 0);",
        "int a[2] = {0, 0}; int i = -1; int x = a[i]; assert(x == 0);",
        "int a[2] = {0, 0}; int i = 5; a[i]++; assert(a[0] == 0);",
        "int i = 1; long x = *(long *)&i; assert((int)x == 1);",
        "int i = 1; *(long *)&i = 1; assert(i == 1);",
    ] {
        reaches_limit("", main, "undefined");
    }
    holds("int a[4] = {1, 2, 3, 4}; long *p = (long *)(a + 2); assert(*p == 0x400000003l);");
}

#[test]
fn variables_without_initialiser_are_arbitrary_whatever_their_size() {
    let array =
        "unsigned char a[100]; unsigned char x = a[3]; int y; if (x > 5) y = 1; else y = 2;";
    fails(&format!("{array} assert(y == 1);"));
    fails(&format!("{array} assert(y == 2);"));
    holds("unsigned char a[100]; unsigned char x = a[3], y = a[3]; assert(x == y);");
    holds("unsigned char a[100]; long i = 3; unsigned char x = a[i], y = a[i]; assert(x == y);");
}

#[test]
fn counting_zeros_and_absolute_values_are_total() {
    let x = "unsigned char n = __VERIFIER_nondet_uchar(); int x = n & 1;";
    fails(&format!("{x} assert(__builtin_ctz(x) < 32);"));
    fails(&format!("{x} assert(__builtin_clz(x) < 32);"));
    fails(&format!("{x} int y = x << 31; assert(abs(y) >= 0);"));
}

#[test]
fn library_results_are_in_range_and_stored() {
    holds("assert(rand() >= 0 && random() >= 0 && lrand48() >= 0 && getpid() > 0);");
    holds("assert(getpid() == getpid());");
    fails("assert(rand() != 0);");
    holds("time_t t = 0; time_t now = time(&t); assert(t == now); time(0);");
    fails("time_t t = 7; time(&t); assert(t == 7);");
    fails("unsigned seed = 7; rand_r(&seed); assert(seed == 7);");
    reaches_limit(
        "",
        "char *p = malloc(3); p = realloc(p, 0); assert(p);",
        "undefined",
    );
}

#[test]
fn weak_references_are_not_taken_to_be_defined() {
    let weak = "__attribute__((weak)) extern void f(void); __attribute__((weak)) extern int g;";
    reaches_limit(weak, "assert(f != 0);", "need not be defined");
    reaches_limit(weak, "assert(&g != 0);", "need not be defined");
}
