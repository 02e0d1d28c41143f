// expect: safe
// reason: Which lock protects a counter is computed from its address, and is the same in both threads wherever the counter
//   lies.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t stripes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
static int counter;

static pthread_mutex_t *stripe(const int *address) {
    return &stripes[(uintptr_t)address >> 5 & 3];
}

static void *increment(void *argument) {
    int *address = argument;
    pthread_mutex_lock(stripe(address));
    *address = *address + 1;
    pthread_mutex_unlock(stripe(address));
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, &counter);
    pthread_create(&b, 0, increment, &counter);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
