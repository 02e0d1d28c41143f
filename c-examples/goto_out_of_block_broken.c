// expect: unsafe
// reason: The computed jump leaves the block, and its variable is over when the pointer is used in the next round.
// size: small
// optimised: differs: optimised code has one place for all rounds, and nothing says that its life ends
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *const labels[] = {&&again, &&end};
    volatile int round = 0;
    int *kept = 0;
again: {
    int own = round;
    if (round == 0)
        kept = &own;
    else
        assert(*kept == own); // use after scope
    round++;
    goto *labels[round / 2];
}
end:
    return 0;
}
