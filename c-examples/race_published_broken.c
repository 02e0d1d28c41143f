// expect: unsafe
// reason: The flag is set before the message is written, so both may happen at the same time.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *publish(void *argument) {
    atomic_store(&ready, 1);
    message = 42;
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load(&ready))
        seen = message; // data race
    pthread_join(thread, NULL);
    return seen;
}
