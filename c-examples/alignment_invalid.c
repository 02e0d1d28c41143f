// expect: safe
// reason: 24 is no alignment, since it is no power of two: there is no memory, and the pointer is null or what it was.
// size: small
// optimised: same
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static int spare;

int main(void) {
    void *block = &spare;
    assert(posix_memalign(&block, 24, 8) == EINVAL);
    assert(!block || block == &spare);
}
