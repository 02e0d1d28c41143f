// expect: unknown
// reason: The distance of an object from a fixed number is 0 if the object lies there, as where programs are not moved.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static long object;

static void *measure(void *argument) {
    uintptr_t distance = (uintptr_t)argument - 0x404000;
    assert(distance != 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, measure, &object);
    pthread_join(thread, 0);
    return 0;
}
