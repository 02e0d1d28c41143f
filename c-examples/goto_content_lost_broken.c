// expect: unsafe
// reason: A computed jump out of the block ends the life of the variable, so the next round finds any content.
// size: small
// optimised: differs: optimised code may keep the content
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#pragma clang diagnostic ignored "-Wuninitialized"

int main(void) {
    static void *const labels[] = {&&again, &&end};
    volatile int round = 0;
again: {
    int own;
    if (round == 0)
        own = 5;
    else
        assert(own == 5);
    round++;
    goto *labels[round / 2];
}
end:
    return 0;
}
