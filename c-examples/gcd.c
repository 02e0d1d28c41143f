// expect: safe
// reason: Euclid's algorithm on numbers from 1 to 7 yields a number that divides both.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static unsigned gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar();
    unsigned b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a >= 1 && a <= 7 && b >= 1 && b <= 7);
    unsigned g = gcd(a, b);
    assert(a % g == 0 && b % g == 0);
    return 0;
}
