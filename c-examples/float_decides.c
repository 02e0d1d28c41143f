// expect: safe
// reason: Half of a number below 8 is exact, and so is the sum of two halves.
// size: small
// optimised: same
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int() % 8;
    double half = number * 0.5;
    assert(half + half == number);
    return 0;
}
