// expect: unknown
// reason: The exchange succeeds if both labels have the same address, as they may.
// size: small
// optimised: differs: clang merges the labels
#include <assert.h>
#include <stdatomic.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *labels[] = {&&first, &&second};
    void *_Atomic current = labels[0];
    void *expected = labels[1];
    volatile int next = 1;
    assert(!atomic_compare_exchange_strong(&current, &expected, (void *)0));
    goto *labels[next];
first:
    return 0;
second:
    return 0;
}
