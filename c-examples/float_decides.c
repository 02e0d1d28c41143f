// expect: unknown
// reason: Nothing is known of the results of floating-point arithmetic, and the assertion depends on them.
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
