// expect: unknown
// reason: A relaxed flag does not order the message, so this is a race in C, but one that no two accesses at the same time show.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *publish(void *argument) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = message;
    pthread_join(thread, NULL);
    return seen;
}
