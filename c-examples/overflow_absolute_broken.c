// expect: unsafe
// reason: The least number has no counterpart that is positive.
// options: --property no-overflow
// size: small
// optimised: same
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int number) {
    return number < 0 ? -number : number; // signed overflow
}

int main(void) {
    return absolute(__VERIFIER_nondet_int()) < 0;
}
