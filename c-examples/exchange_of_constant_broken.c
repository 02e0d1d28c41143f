// expect: unsafe
// reason: The pointer is a constant, which may lie where nothing can be written. A machine writes there also if it finds another value.
// size: small
// optimised: same
#include <assert.h>
#include <stdatomic.h>

static int table[2], other[2];
static int *const place = table;

int main(void) {
    volatile int length = 2;
    int *expected = other + length;
    int *_Atomic *target = (int *_Atomic *)&place;
    atomic_compare_exchange_strong(target, &expected, other + 1); // write to a constant
    assert(expected == table || expected == other + 2);
    return 0;
}
