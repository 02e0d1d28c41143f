// expect: safe
// reason: Jumps to labels in the block stay in the block, so its variable lives on; those before it do not enter the
//   block.
// size: small
// optimised: same
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *const labels[] = {&&first, &&second, &&last};
    volatile int next = 0;
    int *kept;
    goto *labels[next];
first:
    next = 1;
    goto *labels[next];
second: {
    int counter = 10;
    kept = &counter;
    next = 2;
    goto *labels[next];
last:
    assert(*kept == 10);
}
    return 0;
}
