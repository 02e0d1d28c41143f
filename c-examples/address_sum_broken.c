// expect: unknown
// reason: Which of four stripes a variable belongs to is computed from a constant sum with its address: it depends on where the variable lies.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>

static int value;

int main(void) {
    static const uintptr_t flagged = (uintptr_t)&value + (1ull << 40);
    assert((flagged >> 4 & 3) == 0);
    return 0;
}
