// expect: unsafe
// reason: The loop lets some time pass and ends, so the assertion is reached.
// size: small
// optimised: same
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned rounds = __VERIFIER_nondet_uint() % 32;
    volatile unsigned round;
    for (round = 0; round != 1u << rounds; round += 1) {
    }
    assert(rounds < 31);
    return 0;
}
