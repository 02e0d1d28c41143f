// expect: unknown
// reason: An object may lie so near the end of memory that the sum wraps around, so it may be less than the address.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int object;

static void *measure(void *argument) {
    uintptr_t here = (uintptr_t)argument;
    assert(here + 100000 > here);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, measure, &object);
    pthread_join(thread, 0);
    return 0;
}
