// expect: safe
// reason: Only the ten digits are digits, and their values are consecutive.
// size: small
// optimised: same
#include <assert.h>
#include <ctype.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char letter = __VERIFIER_nondet_uchar();
    if (isdigit(letter))
        assert(letter - '0' >= 0 && letter - '0' <= 9);
    return 0;
}
