// expect: safe
// reason: Neither 0 nor -1 divides the least number here.
// size: small
// optimised: same
#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

int main(void) {
    int divisor = __VERIFIER_nondet_char();
    volatile int least = -2147483647 - 1;
    if (divisor == 0 || divisor == -1)
        return 0;
    int quotient = least / divisor;
    assert(divisor < 0 ? quotient > 0 : quotient < 0);
    return 0;
}
