// expect: safe
// reason: The least number is told apart before the sign of a number is changed.
// options: --property no-overflow
// size: small
// optimised: same
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int number) {
    if (number == INT_MIN)
        return INT_MAX;
    return number < 0 ? -number : number;
}

int main(void) {
    return absolute(__VERIFIER_nondet_int()) < 0;
}
