//! Operations on numbers, bits and vectors, and values that the program does not determine.

use super::{fails, holds, reaches_limit};

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
