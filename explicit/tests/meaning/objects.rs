//! Variables, structures, arrays, and functions that get and return them.

use super::{fails, holds, reaches_limit};
use crate::common::c::{PRELUDE, limits, outcome};
use crate::common::is_refuted;
use explicit::explore::SearchVerdict;

#[test]
fn variables_without_initialiser_keep_one_arbitrary_value() {
    holds(
        "",
        "unsigned char x; unsigned char *p = &x; unsigned char a = *p, b = *p; PROPERTY(a == b);",
    );
    fails(
        "",
        "unsigned char x; unsigned char *p = &x; PROPERTY(*p != 77);",
    );
}

#[test]
fn structs_unions_and_pointers_into_them() {
    let types = "struct S { char a; short b[3]; struct { int x : 5; unsigned y : 11; } c; long d; }; struct S s = {1, {2, 3, 4}, {-5, 6}, 7}, t;\nunion U { struct S s; unsigned char bytes[sizeof(struct S)]; };\nshort *inside = &s.b[1];";
    holds(
        types,
        "t = s; t.b[2] = 9; PROPERTY(t.a == 1 && t.b[1] == 3 && t.c.x == -5 && t.c.y == 6 && t.d == 7 && s.b[2] == 4 && *inside == 3);",
    );
    holds(
        types,
        "union U u; u.s = s; u.bytes[2] = 255; PROPERTY(u.s.b[0] == 255 && ((struct S *)((char *)inside - 4))->a == 1);",
    );
    holds(
        types,
        "char *p = (char *)&s; volatile int n = 2; PROPERTY(*(short *)(p + n) == 2 && (char *)&s.d - p == 16);",
    );
}

#[test]
fn accesses_of_odd_widths_end_where_their_bytes_end() {
    holds(
        "struct packed { int first; unsigned long bits : 38; signed char last; } __attribute__((packed)); volatile int two = 2;",
        "static struct packed p = {1, 2, 3}; p.bits += two; PROPERTY(p.first == 1 && p.bits == 4 && p.last == 3);",
    );
}

#[test]
fn structures_passed_by_value_are_copies() {
    holds(
        "struct wide { long values[3]; } table[2] = {{{1, 2, 3}}, {{4, 5, 6}}}; volatile unsigned one = 1;\n\
         static long change(struct wide given, unsigned at) { given.values[at] += 10; return given.values[1] + given.values[at]; }",
        "unsigned at = one; PROPERTY(change(table[at], at) == 30 && table[1].values[1] == 5);",
    );
}

#[test]
fn recursion_and_calls_through_pointers() {
    let functions = "static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }\n\
        int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n\
        static int twice(int n) { return 2 * n; } int (*table[2])(int) = {factorial, twice}; volatile int three = 3, one = 1;";
    holds(
        functions,
        "PROPERTY(factorial(three) == 6 && even(three + 1) && !even(three) && table[one](three) == 6 && table[0](4) == 24);",
    );
    reaches_limit(functions, "factorial(three * 3);", "deeper recursion");
}

#[test]
fn structs_are_passed_by_value() {
    let data = "struct given { long first, second; int rest[4]; } given = {1, 2, {3}};\n\
        static long change(struct given p) { p.first += 10; p.rest[0]++; given.second = 7; return p.first + p.second + p.rest[0]; }\n\
        struct large { char c[100]; } large; static int last(struct large p, int n) { large.c[99] = 9; return p.c[99] + n; }";
    holds(
        data,
        "PROPERTY(change(given) == 17 && given.first == 1 && given.second == 7 && given.rest[0] == 3);",
    );
    holds(
        data,
        "long (*volatile f)(struct given) = change; struct given *volatile g = &given; PROPERTY(f(*g) == 17 && g->first == 1);",
    );
    holds(
        data,
        "large.c[99] = 4; PROPERTY(last(large, 2) == 6 && large.c[99] == 9);",
    );
}

#[test]
fn odd_declarations_are_harmless() {
    // The model of semaphores and the end of `f` need the same marker.
    let f = "sem_t s; static int f(int x) { switch (x) { case 1: return 1; default: __builtin_unreachable(); } } volatile int one = 1;";
    holds(
        f,
        "sem_init(&s, 0, 0); sem_post(&s); PROPERTY(f(one) == 1);",
    );
    reaches_limit(
        f,
        "sem_init(&s, 0, 0); sem_post(&s); return f(one + 1);",
        "undefined",
    );
    let own = "int __VERIFIER_atomic_begin(int); int x; void __VERIFIER_atomic_add(int n) { x += n; } struct { char c[99]; } a, b;";
    let text = format!(
        "{own}\nint memcpy(int, int);\nint main(void) {{ __VERIFIER_atomic_add(2); a = b; return x; }}\n"
    );
    assert!(matches!(outcome(&text, &["-O0"]), SearchVerdict::Safe(())));
}

#[test]
fn arrays_of_variable_length_are_objects_of_their_own() {
    let length = "volatile int n = 3;";
    holds(
        length,
        "int a[n], b[n]; a[0] = 1; a[2] = 5; b[0] = 7; PROPERTY(a[0] == 1 && a[2] == 5 && b[0] == 7 && a != b);",
    );
    holds(
        length,
        "int sum = 0; for (int i = 1; i < n; i++) { int a[i]; a[i - 1] = i; sum += a[i - 1]; } PROPERTY(sum == 3);",
    );
    holds(
        "volatile int n = 2; int sum(int count) { int a[count]; a[count - 1] = count; return a[count - 1]; }",
        "int two = sum(n), three = sum(n + 1); PROPERTY(two + three == 5);",
    );
    reaches_limit(length, "int a[n]; a[n] = 1;", "undefined");
    reaches_limit("volatile int n = -1;", "int a[n]; a[0] = 1;", "heap");
    reaches_limit(length, "int a[n]; a[0] = 1; free(a);", "undefined");
    holds(
        length,
        "int *p = malloc(4); { int a[n]; a[0] = 1; *p = a[0]; } { int b[n]; b[0] = *p; PROPERTY(b[0] == 1); } free(p);",
    );
    for size in ["n", "constant"] {
        let ended =
            format!("int constant = 3, *p; {{ int a[{size}]; a[0] = 1; p = a; }} return *p;");
        reaches_limit(length, &ended, "undefined");
    }
    reaches_limit("volatile int n = 99;", "int a[n]; a[0] = 1;", "heap");
}

#[test]
fn padding_is_arbitrary_and_stays() {
    let padded = "struct A { char c; short l; }; struct B { long c; int l; };";
    for seen in [
        "struct A a, b; a.c = b.c = 1; a.l = b.l = 2; unsigned x, y; memcpy(&x, &a, 4); memcpy(&y, &b, 4); PROPERTY(x == y);",
        "struct A a; a.c = 1; a.l = 2; unsigned char *p = (void *)&a; PROPERTY(p[1] != 5);",
        "struct B b; b.c = 1; b.l = 2; unsigned char *p = (void *)&b; PROPERTY(p[15] != 5);",
    ] {
        fails(padded, seen);
    }
    let text = format!(
        "{PRELUDE}{padded}\nint main(void) {{ struct B b; b.c = 1; b.l = 2; int *p = (int *)&b; \
         if (p[3] == 5) if (p[3] != 5) reach_error(); return 0; }}\n"
    );
    let found = outcome(&text, &["-O0"]);
    assert!(!is_refuted(&found), "{found:?}");
}

#[test]
fn accesses_outside_of_a_variable_are_seen_behind_pointers_in_variables() {
    for access in [
        "int a[2]; a[5] = 1;",
        "int a[2]; int *p = a; p[5] = 1;",
        "int a[2]; int *p = a; int **q = &p; (*q)[5] = 1;",
        "int a[2]; int *p = a; int **q = &p; int ***r = &q; return (**r)[5];",
    ] {
        reaches_limit("", access, "undefined");
    }
}

#[test]
fn the_arguments_of_the_program_are_readable_up_to_the_last() {
    let found = |main: &str| {
        let text = format!("{PRELUDE}\nint main(int argc, char **argv) {{ {main} return 0; }}\n");
        outcome(&text, &["-O0"])
    };
    let limit = |main: &str| limits(&found(main), main).join(", ");
    for violated in [
        "if (argc == 2 && argv[1][0] == 'x') reach_error();",
        "if (argc == 2 && !argv[2]) reach_error();",
        "if (argc == 8 && argv[7][15] == 'x') reach_error();",
        "char *last = 0; if (argc == 2) while (*argv) last = *argv++; if (last) reach_error();",
        "if (argc == 2) { argv[1][1] = 'y'; argv[1] = argv[0]; if (argv[1][1] != 'y') reach_error(); }",
    ] {
        assert!(is_refuted(&found(violated)), "{violated}");
    }
    for undefined in ["if (argc == 2) *argv[2] = 0;", "if (argc > 8) argv[8] = 0;"] {
        let reasons = limit(undefined);
        assert!(
            reasons.contains("undefined behaviour"),
            "{undefined}: {reasons}"
        );
    }
    let longer = limit("if (argc == 2) argv[1][argc + 14] = 0;");
    let expected = "unsupported access to `argv[1]@main` behind its first 16 bytes";
    assert!(longer.contains(expected), "{longer}");
    let called = "static int n; if (!n) { n = 1; char *own[2] = {0, 0}; return main(1, own); } if (!argv[0]) reach_error();";
    assert!(is_refuted(&found(called)), "{called}");
    let unharmed = found("if (argc < 1 || !argv[0]) reach_error();");
    assert_eq!(unharmed, SearchVerdict::Safe(()));
}
