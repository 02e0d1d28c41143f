// expect: unknown
// reason: How small a stack may be is up to the machine.
// size: small
// optimised: same
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int main(void) {
    const size_t least = (size_t)PTHREAD_STACK_MIN;
    size_t size = 1 << 14;
    assert(size >= least);
    return 0;
}
