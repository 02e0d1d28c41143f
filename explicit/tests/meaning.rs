//! What read programs mean: assertions in C that hold are proved by searching all interleavings, and their negations are
//! refuted, so that no test passes because its assertion is not reached.

mod common;

use common::c::{PRELUDE, limits, outcome};
use explicit::explore::Outcome;

const BOTH: [&str; 2] = ["-O0", "-O2"];

/// The property holds in every run, and some run gets to it.
fn holds(declarations: &str, main: &str) {
    for optimisation in BOTH {
        let program = |property: &str| {
            format!(
                "{PRELUDE}#define PROPERTY(c) do {{ if (!({property}(c))) reach_error(); }} while (0)\n{declarations}\nint main(void) {{ {main} return 0; }}\n"
            )
        };
        let proved = outcome(&program(""), &[optimisation]);
        assert!(
            matches!(proved, Outcome::NoError { complete: true, .. }),
            "{optimisation}: {proved:?}\n{main}"
        );
        let refuted = outcome(&program("!"), &[optimisation]);
        assert!(
            matches!(refuted, Outcome::Error(_)),
            "{optimisation}: {refuted:?}\n{main}"
        );
    }
}

/// Some run violates the property.
fn fails(declarations: &str, main: &str) {
    let program = format!(
        "{PRELUDE}#define PROPERTY(c) do {{ if (!(c)) reach_error(); }} while (0)\n{declarations}\n\
         int main(void) {{ {main} return 0; }}\n"
    );
    let refuted = outcome(&program, &["-O0"]);
    assert!(matches!(refuted, Outcome::Error(_)), "{refuted:?}\n{main}");
}

/// A search that ends at this limit.
fn reaches_limit(declarations: &str, main: &str, limit: &str) {
    let text = format!("{PRELUDE}{declarations}\nint main(void) {{ {main} return 0; }}\n");
    let found = outcome(&text, &["-O0"]);
    let reasons = limits(&found, main);
    assert!(
        reasons.iter().any(|reason| reason.contains(limit)),
        "{reasons:?}"
    );
}

#[test]
fn minimum_maximum_and_absolute_value() {
    let functions = "typedef signed char s8; typedef unsigned char u8;\n\
        #define MAX __builtin_elementwise_max\n#define MIN __builtin_elementwise_min\nvolatile s8 a = -3, b = 5; volatile u8 c = 253, d = 5;";
    holds(
        functions,
        "s8 x = a, y = b; PROPERTY(MAX(x, y) == 5 && MIN(x, y) == -3 && MAX(y, x) == 5 && MIN(y, x) == -3);",
    );
    holds(
        functions,
        "u8 x = c, y = d; PROPERTY(MAX(x, y) == 253 && MIN(x, y) == 5 && MAX(y, x) == 253 && MIN(y, x) == 5);",
    );
    holds(
        functions,
        "s8 x = a, y = b; PROPERTY(__builtin_elementwise_abs(x) == 3 && __builtin_elementwise_abs(y) == 5);",
    );
}

#[test]
fn bits_are_counted_and_moved() {
    let data = "volatile unsigned a = 0x00f01203; volatile unsigned long b = 0x0000800000000040; volatile unsigned char n = 37;";
    holds(
        data,
        "unsigned x = a; unsigned long y = b; PROPERTY(__builtin_popcount(x) == 8 && __builtin_popcountl(y) == 2);",
    );
    holds(
        data,
        "unsigned x = a; unsigned long y = b; PROPERTY(__builtin_clz(x) == 8 && __builtin_clzl(y) == 16);",
    );
    holds(
        data,
        "unsigned x = a; unsigned long y = b; PROPERTY(__builtin_ctz(x) == 0 && __builtin_ctzl(y) == 6);",
    );
    holds(
        data,
        "unsigned x = a; PROPERTY(__builtin_bswap32(x) == 0x0312f000 && __builtin_bitreverse32(x) == 0xc0480f00);",
    );
    holds(
        data,
        "unsigned x = a; PROPERTY(__builtin_rotateleft32(x, n) == 0x1e024060 && __builtin_rotateright32(x, n) == 0x18078090);",
    );
    holds(
        data,
        "unsigned x = a; PROPERTY(__builtin_rotateleft32(x, n & 32) == x && __builtin_bswap64(b) == 0x4000000000800000);",
    );
}

#[test]
fn overflow_is_noticed_and_saturated() {
    let data = "volatile int big = 0x7fffffff, small = -0x7fffffff - 1; volatile unsigned u = 4000000000u; volatile short s = 30000;";
    holds(
        data,
        "int r; PROPERTY(__builtin_add_overflow(big, 1, &r) && r == small && !__builtin_add_overflow(big, -1, &r));",
    );
    holds(
        data,
        "int r; PROPERTY(__builtin_sub_overflow(small, 1, &r) && !__builtin_sub_overflow(small, -1, &r));",
    );
    holds(
        data,
        "unsigned r; PROPERTY(__builtin_add_overflow(u, u, &r) && __builtin_sub_overflow(1u, u, &r) && r == 294967297u);",
    );
    holds(
        data,
        "int r; PROPERTY(__builtin_mul_overflow(big, 2, &r) && r == -2 && !__builtin_mul_overflow(small, 1, &r));",
    );
    holds(
        data,
        "unsigned r; PROPERTY(__builtin_mul_overflow(u, 2u, &r) && r == 3705032704u);",
    );
    holds(
        data,
        "int x = s; PROPERTY(__builtin_elementwise_add_sat(x, big) == big && __builtin_elementwise_sub_sat(small, x) == small && __builtin_elementwise_add_sat(x, x) == 60000);",
    );
    holds(
        data,
        "unsigned x = u; PROPERTY(__builtin_elementwise_add_sat(x, x) == 0xffffffffu && __builtin_elementwise_sub_sat(1u, x) == 0);",
    );
}

#[test]
fn divisions_have_their_limits() {
    holds(
        "volatile int a = -7, b = 2;",
        "PROPERTY(a / b == -3 && a % b == -1 && (a >> 1) == -4 && (unsigned)a / 2 == 0x7ffffffcu);",
    );
    reaches_limit("volatile int zero;", "return 1 / zero;", "undefined");
    reaches_limit(
        "volatile int least = -0x7fffffff - 1, minus = -1;",
        "return least % minus;",
        "undefined",
    );
}

#[test]
fn wide_integers_and_vectors_are_exact() {
    holds(
        "volatile unsigned long a = -1ul;",
        "unsigned __int128 x = (unsigned __int128)a * a; PROPERTY((unsigned long)(x >> 64) == -2ul && (unsigned long)x == 1);",
    );
    let vectors = "typedef int v4 __attribute__((vector_size(16))); typedef unsigned char v8 __attribute__((vector_size(8)));\nv4 a = {1, -2, 3, 4}; v8 b = {1, 2, 3, 4, 5, 6, 7, 8}; volatile int one = 1;";
    holds(
        vectors,
        "v4 s = a + a * 3; PROPERTY(s[0] == 4 && s[one] == -8 && s[3] == 16);",
    );
    holds(
        vectors,
        "v8 s = __builtin_shufflevector(b, b, 7, 6, 5, 4, 3, 2, 1, 0); s[one + 1] = 9; b = s; PROPERTY(b[0] == 8 && b[2] == 9 && b[7] == 1);",
    );
    holds(
        vectors,
        "v4 s = a > 0; PROPERTY(s[0] == -1 && s[1] == 0 && __builtin_reduce_add(a) == 6 && __builtin_reduce_max(a) == 4 && __builtin_reduce_min(a) == -2);",
    );
    holds(
        "typedef short v16 __attribute__((vector_size(32))); v16 a, b; volatile int one = 1;",
        "v16 s = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}; a = s; b = a; PROPERTY(b[0] == 1 && b[one] == 2 && b[15] == 16 && ((short *)&b)[14] == 15);",
    );
}

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
fn strings_and_blocks_of_memory() {
    let data = "char text[16] = \"hello\"; char other[16]; volatile int n = 11; int numbers[20];";
    holds(
        data,
        "PROPERTY(strlen(text) == 5 && strcmp(text, \"help\") < 0 && strncmp(text, \"help\", 3) == 0);",
    );
    holds(
        data,
        "strcpy(other, text); strcat(other, \"!\"); PROPERTY(other[4] == 'o' && other[5] == '!' && other[6] == 0 && strchr(other, 'l') == other + 2);",
    );
    holds(
        data,
        "memset(other, 7, n); memmove(text + 1, text, 5); PROPERTY(other[10] == 7 && other[11] == 0 && text[0] == 'h' && text[1] == 'h' && text[5] == 'o');",
    );
    holds(
        data,
        "memset(numbers, 255, sizeof numbers); numbers[3] = 5; int copy[20]; memcpy(copy, numbers, sizeof copy); PROPERTY(copy[3] == 5 && copy[19] == -1 && memcmp(copy, numbers, n) == 0);",
    );
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
    assert!(matches!(
        outcome(&text, &["-O0"]),
        Outcome::NoError { complete: true, .. }
    ));
}

#[test]
fn the_heap_is_modelled() {
    holds(
        "",
        "int *p = malloc(8); p[1] = 3; int *q = calloc(2, 4); PROPERTY(p[1] == 3 && q[1] == 0 && p != q);",
    );
    holds(
        "",
        "int *p = malloc(8); p[0] = 5; p = realloc(p, 4); void *q; int e = posix_memalign(&q, 8, 16); PROPERTY(p[0] == 5 && e == 0);",
    );
    reaches_limit("", "int *p = malloc(8); free(p); p[0] = 1;", "undefined");
    reaches_limit("", "int *p = malloc(8); p[2] = 1;", "undefined");
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
    assert!(matches!(found, Outcome::NoError { .. }), "{found:?}");
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
        assert!(matches!(found(violated), Outcome::Error(_)), "{violated}");
    }
    for undefined in [
        "if (argc == 2) *argv[2] = 0;",
        "if (argc > 8) argv[8] = 0;",
        "if (argc == 2) argv[1][16] = 0;",
    ] {
        let reasons = limit(undefined);
        assert!(
            reasons.contains("undefined behaviour"),
            "{undefined}: {reasons}"
        );
    }
    let called = "static int n; if (!n) { n = 1; char *own[2] = {0, 0}; return main(1, own); } if (!argv[0]) reach_error();";
    assert!(matches!(found(called), Outcome::Error(_)), "{called}");
    let unharmed = limit("if (argc < 1 || !argv[0]) reach_error();");
    assert!(!unharmed.contains("undefined"), "{unharmed}");
}

#[test]
fn numbers_that_are_read_from_text_are_arbitrary() {
    let scan = "extern int sscanf(const char *, const char *, ...); extern int atoi(const char *); extern long atol(const char *);";
    for arbitrary in [
        "int x = 5; sscanf(\"1\", \"%d\", &x); PROPERTY(x == 5);",
        "int x = 5; sscanf(\"1\", \"%d\", &x); PROPERTY(x != 5);",
        "int x; PROPERTY(sscanf(\"1\", \" %d\", &x) == 1);",
        "long x = 0; short y = 5; sscanf(\"1 2\", \"%ld %*d %hd\", &x, &y); PROPERTY(x == 0 || y == 5);",
        "PROPERTY(atoi(\"1\") == 1);",
        "PROPERTY(atol(\"1\") != 1);",
    ] {
        fails(scan, arbitrary);
    }
    for allowed in [
        "int x; int n = sscanf(\"1\", \"%d\", &x); PROPERTY(n >= -1 && n <= 1);",
        "int x = 5; int n = sscanf(\"1\", \"%d\", &x); PROPERTY(n == 1 || x == 5);",
        "int x = 5, y = 6; int n = sscanf(\"1 2\", \"%d %d\", &x, &y); PROPERTY(n == 2 || y == 6);",
        "char x[2] = {5, 6}; sscanf(\"1\", \"%hhd\", x); PROPERTY(x[1] == 6);",
        "short x[2] = {5, 6}; sscanf(\"1\", \"%hd\", x); PROPERTY(x[1] == 6);",
    ] {
        let text = format!(
            "{PRELUDE}#define PROPERTY(c) do {{ if (!(c)) reach_error(); }} while (0)\n{scan}\nint main(void) {{ {allowed} return 0; }}\n"
        );
        let found = outcome(&text, &["-O0"]);
        assert!(matches!(found, Outcome::NoError { .. }), "{allowed}");
    }
    reaches_limit(scan, "return atoi(0);", "undefined");
    let own = "int flag; int sscanf(const char *text, const char *format, int *target) { flag = 1; return 0; }";
    fails(own, "int x; sscanf(\"1\", \"%d\", &x); PROPERTY(!flag);");
    reaches_limit(scan, "int x; return sscanf(0, \"%d\", &x);", "undefined");
}

#[test]
fn every_modelled_function_is_in_the_library() {
    // Those of this project are not called by programs, but stand for calls of `sscanf`.
    let is_public = |name: &&str| !abi::markers::is_reserved(name.as_bytes());
    for name in abi::functions::modelled().filter(is_public) {
        let text = format!("extern void {name}(void);\nint main(void) {{ {name}(); return 0; }}\n");
        if let Outcome::NoError { reasons, .. } = outcome(&text, &["-O0"]) {
            let missing = reasons
                .iter()
                .any(|reason| reason.to_string().contains("undefined function"));
            assert!(!missing, "{name}: {reasons:?}");
        }
    }
}

#[test]
fn read_write_locks_exclude_writers() {
    let threads = "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; int data, seen;\n\
        void *writer(void *p) { pthread_rwlock_wrlock(&lock); data = 1; data = 2; pthread_rwlock_unlock(&lock); return 0; }";
    let main = "pthread_t t; pthread_create(&t, 0, writer, 0); pthread_rwlock_rdlock(&lock); seen = data; pthread_rwlock_unlock(&lock); pthread_join(t, 0);";
    holds(threads, &format!("{main} PROPERTY(seen != 1);"));
    fails(threads, &format!("{main} PROPERTY(seen != 2);"));
    fails(threads, &format!("{main} PROPERTY(seen != 0);"));
}

#[test]
fn mutexes_semaphores_and_spin_locks_exclude() {
    let increments = |declarations: &str, begin: &str, enter: &str, leave: &str| {
        holds(
            &format!(
                "int data; {declarations} void *add(void *p) {{ {enter}; data++; {leave}; return 0; }}"
            ),
            &format!(
                "{begin}; pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);"
            ),
        );
    };
    increments(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "",
        "pthread_mutex_lock(&m)",
        "pthread_mutex_unlock(&m)",
    );
    increments(
        "pthread_mutex_t m;",
        "pthread_mutex_init(&m, 0)",
        "while (pthread_mutex_trylock(&m))",
        "pthread_mutex_unlock(&m)",
    );
    increments(
        "pthread_spinlock_t m;",
        "pthread_spin_init(&m, 0)",
        "pthread_spin_lock(&m)",
        "pthread_spin_unlock(&m)",
    );
    holds(
        "int data; __attribute__((noinline)) void __VERIFIER_atomic_add(void) { data++; } void *add(void *p) { __VERIFIER_atomic_add(); return 0; }",
        "pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);",
    );
    fails(
        "int data; void *add(void *p) { data++; return 0; }",
        "pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);",
    );
}

#[test]
fn conditions_barriers_and_once() {
    let waiting = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;\n\
        void *giver(void *p) { data = 5; pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }";
    holds(
        waiting,
        "pthread_t t; pthread_create(&t, 0, giver, 0); pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); PROPERTY(data == 5);",
    );
    let barrier = "pthread_barrier_t b; int data; void *other(void *p) { data = 5; pthread_barrier_wait(&b); return 0; }";
    holds(
        barrier,
        "pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, other, 0); pthread_barrier_wait(&b); PROPERTY(data == 5);",
    );
    let once = "pthread_once_t o = PTHREAD_ONCE_INIT; int data; void first(void) { data++; } void *other(void *p) { pthread_once(&o, first); return 0; }";
    holds(
        once,
        "pthread_t t; pthread_create(&t, 0, other, 0); pthread_once(&o, first); PROPERTY(data == 1);",
    );
    let semaphore = "sem_t s; int data; void *other(void *p) { data = 5; sem_post(&s); return 0; }";
    holds(
        semaphore,
        "pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, other, 0); sem_wait(&s); PROPERTY(data == 5);",
    );
}

/// A held mutex of this kind and an empty semaphore, both waited for until `limit`.
const TIMED: &str = "#include <time.h>\n#include <errno.h>\n#include <limits.h>\nstruct timespec limit = {1, 0}, wrong = {1, 1000000000};\n\
    static int timed(int kind, struct timespec *limit) { pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutexattr_init(&a);\
    pthread_mutexattr_settype(&a, kind); pthread_mutex_init(&m, &a); pthread_mutex_lock(&m); return pthread_mutex_timedlock(&m, limit); }\n\
    static int taken(unsigned value, struct timespec *limit) { sem_t s; sem_init(&s, 0, value); errno = 0; return sem_timedwait(&s, limit) ? errno : 0; }";

#[test]
fn timed_waits_end_early_only_where_they_wait() {
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_RECURSIVE, &limit); PROPERTY(code == 0);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_ERRORCHECK, &limit); PROPERTY(code == EDEADLK);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_NORMAL, &limit); PROPERTY(code == ETIMEDOUT);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_NORMAL, &wrong); PROPERTY(code == EINVAL);",
    );
    holds(
        TIMED,
        "int code = taken(1, &wrong); PROPERTY(code == 0 || code == EINVAL);",
    );
    fails(TIMED, "int code = taken(1, &wrong); PROPERTY(code == 0);");
    fails(
        TIMED,
        "int code = taken(1, &wrong); PROPERTY(code == EINVAL);",
    );
    holds(
        TIMED,
        "int code = taken(0, &limit); PROPERTY(code == ETIMEDOUT);",
    );
    holds(
        TIMED,
        "int code = taken(0, &wrong); PROPERTY(code == EINVAL);",
    );
    let holder = format!(
        "{TIMED} pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *other(void *p) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}"
    );
    let contend = "pthread_t t; pthread_create(&t, 0, other, 0); int code = pthread_mutex_timedlock(&m, &limit);";
    fails(&holder, &format!("{contend} PROPERTY(code == 0);"));
    fails(&holder, &format!("{contend} PROPERTY(code == ETIMEDOUT);"));
    holds(
        &holder,
        &format!("{contend} PROPERTY(code == 0 || code == ETIMEDOUT);"),
    );
    let wait = "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&m); int code = pthread_cond_timedwait(&c, &m,";
    holds(
        &holder,
        &format!("{wait} &wrong); PROPERTY(code == EINVAL);"),
    );
    fails(&holder, &format!("{wait} &limit); PROPERTY(code == 0);"));
}

#[test]
fn weak_exchanges_may_fail_spuriously() {
    let variables = "int x = 1, expected = 1;";
    let exchange = |weak: &str| {
        format!(
            "int done = __atomic_compare_exchange_n(&x, &expected, 2, {weak}, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);"
        )
    };
    let strong = exchange("0");
    holds(variables, &format!("{strong} PROPERTY(done && x == 2);"));
    let weak = exchange("1");
    fails(variables, &format!("{weak} PROPERTY(done);"));
    fails(variables, &format!("{weak} PROPERTY(!done);"));
    holds(
        variables,
        &format!("{weak} PROPERTY(x == 1 + done && expected == 1);"),
    );
}

#[test]
fn semaphores_have_a_greatest_value() {
    holds(
        TIMED,
        "sem_t s; int code = sem_init(&s, 0, 1u + SEM_VALUE_MAX); PROPERTY(code == -1 && errno == EINVAL);",
    );
    holds(
        TIMED,
        "sem_t s; int code = sem_init(&s, 0, SEM_VALUE_MAX); code += sem_post(&s); PROPERTY(code == -1 && errno == EOVERFLOW);",
    );
}

#[test]
fn threads_have_their_own_variables_and_results() {
    let own = "_Thread_local int mine = 3; pthread_key_t key; int seen; void *other(void *p) { mine++; seen = mine; pthread_setspecific(key, p); return (void *)(long)(mine + *(int *)p); }";
    holds(
        own,
        "pthread_t t; void *r; int v = 10; pthread_key_create(&key, 0); pthread_create(&t, 0, other, &v); pthread_join(t, &r); PROPERTY(mine == 3 && seen == 4 && (long)r == 14 && pthread_getspecific(key) == 0);",
    );
}

#[test]
fn nondeterminism_is_complete_and_assumptions_restrict_it() {
    holds(
        "",
        "unsigned char x = __VERIFIER_nondet_uchar(); __VERIFIER_assume(x > 3 && x < 7); PROPERTY(x >= 4 && x <= 6);",
    );
    for value in [0, 1, 127, 128, 255] {
        fails(
            "",
            &format!("unsigned char x = __VERIFIER_nondet_uchar(); PROPERTY(x != {value});"),
        );
    }
}
