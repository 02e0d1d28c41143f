// expect: safe
// reason: The message is written before the atomic flag is, and read only where the flag was seen.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *publish(void *argument) {
    message = 42;
    atomic_store(&ready, 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load(&ready))
        seen = message;
    pthread_join(thread, NULL);
    return seen;
}
