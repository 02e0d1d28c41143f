// expect: safe
// reason: The loop never ends, because no even number is odd, and the assertion is not reached.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    volatile unsigned round;
    for (round = 0; round != 3; round += 2) {
    }
    assert(0);
    return 0;
}
