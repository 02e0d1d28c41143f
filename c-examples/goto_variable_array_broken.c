// expect: unknown
// reason: Computed jumps in a function with an array of variable length are not supported: they may leave its block.
// size: small
// optimised: same
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *labels[] = {&&again, &&end};
    volatile int round = 0;
    volatile char *kept = 0;
again: {
    char own[round + 2];
    own[0] = (char)round;
    if (round == 0)
        kept = own;
    else
        assert(*kept == 1);
    round++;
    goto *labels[round / 2];
}
end:
    return 0;
}
