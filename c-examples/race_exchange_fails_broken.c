// expect: unsafe
// reason: The exchange succeeds at once, and its write is not ordered with the plain read.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 0;

static void *advance(void *argument) {
    int expected = 0;
    atomic_compare_exchange_strong(&state, &expected, 2); // data race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, advance, NULL);
    int seen = *(int *)&state; // a plain read
    pthread_join(thread, NULL);
    return seen;
}
