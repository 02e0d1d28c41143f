// expect: unsafe
// reason: The conversion to float rounds: the number read back is not the one that was stored if it is odd.
// size: small
// optimised: same
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int more = __VERIFIER_nondet_int() & 1;
    float narrow = (float)(16777216 + more);
    assert((int)narrow == 16777216 + more);
    return 0;
}
