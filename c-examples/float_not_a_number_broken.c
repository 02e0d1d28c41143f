// expect: unsafe
// reason: The average of no items is not a number, and no comparison with it holds.
// size: small
// optimised: same
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int items = __VERIFIER_nondet_int() & 3, sum = 0;
    for (int i = 0; i < items; i++)
        sum += 5;
    double average = (double)sum / items;
    assert(average <= 5 || average > 5);
    return 0;
}
