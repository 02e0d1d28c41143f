// expect: unsafe
// reason: Letters of hexadecimal numbers are no digits.
// size: small
// optimised: same
#include <assert.h>
#include <ctype.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char letter = __VERIFIER_nondet_uchar();
    if (isxdigit(letter))
        assert(letter - '0' >= 0 && letter - '0' <= 9);
    return 0;
}
