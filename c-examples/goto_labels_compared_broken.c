// expect: unknown
// reason: A machine may give two labels the same address, since the code behind them is the same.
// size: small
// optimised: differs: clang merges the labels
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

int main(void) {
    static void *labels[] = {&&first, &&second};
    volatile int next = 1;
    assert(labels[0] != labels[next]);
    goto *labels[next];
first:
    return 0;
second:
    return 0;
}
