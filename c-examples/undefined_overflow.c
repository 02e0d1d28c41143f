// expect: unknown
// reason: The least number may be divided by -1, and the quotient is no number of the type; all other quotients are right.
// size: small
// optimised: same
#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

int main(void) {
    int divisor = __VERIFIER_nondet_char();
    volatile int least = -2147483647 - 1;
    if (divisor == 0)
        return 0;
    int quotient = least / divisor;
    assert(divisor < 0 ? quotient > 0 : quotient < 0);
    return 0;
}
