// expect: safe
// reason: A number far behind a variable leads back to it, and the program never inspects its bits.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>

static int value = 3;

int main(void) {
    static const uintptr_t flagged = (uintptr_t)&value + (1ull << 48);
    assert(*(int *)((uintptr_t)&value + (flagged - (uintptr_t)&value) % 16) == 3);
    return 0;
}
