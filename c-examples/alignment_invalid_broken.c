// expect: unsafe
// reason: 24 is no alignment, and the caller looks into `errno` instead of at the result, though a C library need not set it.
// size: small
// optimised: same
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    void *block = NULL;
    errno = 0;
    posix_memalign(&block, 24, 8);
    assert(errno == EINVAL);
}
