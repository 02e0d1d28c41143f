// expect: unsafe
// reason: The counter was never given an initial value, so it may hold anything when main reads it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *count(void *argument) {
    atomic_int *counter = argument;
    int seen = 0;
    atomic_compare_exchange_strong(counter, &seen, 1);
    return 0;
}

int main(void) {
    atomic_int *counter = malloc(sizeof *counter);
    if (!counter)
        abort();
    pthread_t t;
    pthread_create(&t, 0, count, counter);
    assert(atomic_load(counter) <= 1);
    pthread_join(t, 0);
    return 0;
}
