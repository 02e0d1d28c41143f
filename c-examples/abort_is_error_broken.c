// expect: unsafe
// reason: Both threads may be inside, and one of them aborts.
// options: --abort-is-error
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int taken;

static void *take(void *argument) {
    if (taken)
        abort();
    taken = 1;
    taken = 0;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, take, 0);
    take(0);
    pthread_join(t, 0);
    exit(taken);
}
