// expect: unsafe
// reason: A second failure ends the loop before everything is transferred.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

/* How much is transferred of what is left, or -1. */
static int transfer(int left) {
    int count = 1 + (__VERIFIER_nondet_uchar() & 3);
    return count > left ? -1 : count;
}

int main(void) {
    int left = 3, failures = 0, count = 0;
    /* Of the count it only matters here whether it is negative. */
    while (left != 0 && count >= 0) {
        count = transfer(left);
        if (count >= 0) {
            left -= count;
        } else if (failures == 0) {
            failures = 1;
            count = 0;
        }
    }
    assert(left == 0);
    return 0;
}
