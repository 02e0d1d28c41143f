//! Programs whose answer is about where objects lie.

/// A program and what is known of it.
pub struct Program {
    /// What it is about.
    pub name: &'static str,
    /// Whether its assertion holds wherever objects lie.
    pub holds: bool,
    /// C, without the lines that all have in common.
    pub text: &'static str,
}

const fn holds(name: &'static str, text: &'static str) -> Program {
    Program {
        name,
        holds: true,
        text,
    }
}

const fn open(name: &'static str, text: &'static str) -> Program {
    Program {
        name,
        holds: false,
        text,
    }
}

/// What all have in common. `PAD` bytes move the variables that follow.
pub const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
char padding[PAD + 1] = {1};
#define NUMBER(p) ((uintptr_t)(p))
";

/// The table.
pub const PROGRAMS: &[Program] = &[
    open(
        "stripes of two variables",
        "int a[PAD + 8], b[8];
         int main(void) { assert((NUMBER(a) >> 5 & 3) == (NUMBER(b) >> 5 & 3)); }",
    ),
    open(
        "stripe of a variable",
        "int a[8]; int main(void) { assert((NUMBER(a) >> 5 & 3) == 0); }",
    ),
    holds(
        "stripe of the same element",
        "int a[8]; int *volatile p = &a[3];
         int main(void) { int *q = a + 3; assert((NUMBER(p) >> 5 & 3) == (NUMBER(q) >> 5 & 3)); }",
    ),
    open(
        "hash of two heap objects",
        "unsigned hash(void *p) { return (uint32_t)(NUMBER(p) >> 4) * 2654435761u >> 30; }
         int main(void) { void *p = malloc(PAD + 8), *q = malloc(8); assert(hash(p) == hash(q)); }",
    ),
    open(
        "bucket of a heap object",
        "int main(void) { void *p = malloc(PAD + 8), *q = malloc(8); assert(NUMBER(q) % 7 == 3); }",
    ),
    open(
        "low half of the address of a local",
        "int main(void) { int x[PAD + 1]; x[0] = 0; assert((uint32_t)NUMBER(&x) < 0x40000000u); }",
    ),
    open(
        "an address fits into 32 bits",
        "int main(void) { void *p = malloc(8); assert(NUMBER(p) >> 32 == 0); }",
    ),
    holds(
        "an address fits into 48 bits",
        "int main(void) { void *p = malloc(8); assert(p && NUMBER(p) >> 48 == 0); }",
    ),
    open(
        "order of two variables",
        "int a, b; int *volatile p = &a, *volatile q = &b; int main(void) { assert(q < p); }",
    ),
    open(
        "order of two heap objects",
        "int main(void) { char *p = malloc(PAD + 8), *q = malloc(8); assert(q < p); }",
    ),
    holds(
        "order of two variables is one of two",
        "int a, b; int *volatile p = &a, *volatile q = &b;
         int main(void) { assert((p < q) != (q < p) && p != q); }",
    ),
    holds(
        "order within an array",
        "int a[4]; int *volatile p = a; int main(void) { assert(p < a + 4 && a + 4 - p == 4 && p + 1 > a); }",
    ),
    open(
        "difference of two variables",
        "char a[PAD + 16], b[16]; char *volatile p = a, *volatile q = b;
         int main(void) { assert(p - q > 4096 || q - p > 4096); }",
    ),
    open(
        "tails of literals",
        "const char *volatile p = \"xab\", *volatile q = \"ab\"; int main(void) { assert(p + 1 != q); }",
    ),
    open(
        "equal literals",
        "const char *f(void) { return \"ab\"; }
         const char *volatile p = \"ab\"; int main(void) { assert(p != f()); }",
    ),
    holds(
        "arrays with equal content",
        "static const char a[] = \"ab\", b[] = \"ab\"; const char *volatile p = a, *volatile q = b;
         int main(void) { assert(p != q); }",
    ),
    open(
        "the end of one variable and the start of the next",
        "int a[4], b[4]; int *volatile p = a, *volatile q = b; int main(void) { assert(p + 4 != q && q + 4 != p); }",
    ),
    holds(
        "the last element and the start of the next",
        "int a[4], b[4]; int *volatile p = a, *volatile q = b; int main(void) { assert(p + 3 != q && q + 3 != p); }",
    ),
    open(
        "variables without bytes",
        "int z[0], y[1], x[0]; void *volatile p = z, *volatile q = y, *volatile r = x;
         int main(void) { assert(p != q && p != r && q != r); }",
    ),
    open(
        "alignment beyond what is promised",
        "char a[24]; int main(void) { assert(NUMBER(a) % 64 == 0); }",
    ),
    holds(
        "alignment that is promised",
        "_Alignas(64) char a[24]; int main(void) { void *p = malloc(8); assert(NUMBER(a) % 64 == 0 && NUMBER(p) % 16 == 0); }",
    ),
    holds(
        "tags in low bits",
        "long a; uintptr_t volatile p = (uintptr_t)&a;
         int main(void) { p |= 5; assert((p & 7) == 5); p ^= 4; *(long *)(p & ~(uintptr_t)7) = 3; assert(a == 3); }",
    ),
    open(
        "tags in bits that are not free",
        "char a[3]; char *volatile p = a; int main(void) { assert(((NUMBER(p + 1) | 1) == NUMBER(p + 1)) != (PAD % 2)); }",
    ),
    open(
        "the bucket of an object that comes after another",
        "int main(void) { void *p = malloc(24); uintptr_t n = NUMBER(p) >> 4; void *q = malloc(PAD + 40); free(p);
           void *r = malloc(PAD + 24); assert((NUMBER(r) >> 4 & 15) == (n & 15)); free(q); free(r); }",
    ),
    holds(
        "numbers of one object",
        "int main(void) { char *p = malloc(8); uintptr_t n = NUMBER(p); assert((NUMBER(p + 4) ^ n) == 4 && n * 3 - n * 2 == n); }",
    ),
    holds(
        "null is where nothing lies",
        "int a; int *volatile p = &a; int main(void) { assert(p && NUMBER(p) > 4000 && NUMBER(p) / 2 != 0); }",
    ),
];
