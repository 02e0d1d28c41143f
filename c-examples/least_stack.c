// expect: safe
// reason: The stack is made as large as it has to be.
// size: small
// optimised: same
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int main(void) {
    const size_t least = (size_t)PTHREAD_STACK_MIN;
    size_t size = 1 << 14;
    if (size < least) {
        size = least;
    }
    assert(size >= least);
    return 0;
}
