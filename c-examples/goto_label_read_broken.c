// expect: unknown
// reason: Where a label is, there is code, which is no object that can be read.
// size: small
// optimised: same
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *labels[] = {&&first};
    volatile int next = 0;
    assert(*(char *)labels[next] != 'l');
    goto *labels[next];
first:
    return 0;
}
