// expect: safe
// reason: What is read with acquire was written with release, so the message happens before.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *publish(void *argument) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    int first = atomic_load_explicit(&ready, memory_order_acquire);
    if (first != 0)
        seen = message;
    pthread_join(thread, NULL);
    return seen;
}
