// expect: safe
// reason: One thread at a time has the mutex, so no thread aborts, and the status at the end is 0.
// options: --abort-is-error
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int taken;

static void *take(void *argument) {
    pthread_mutex_lock(&mutex);
    if (taken)
        abort();
    taken = 1;
    taken = 0;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, take, 0);
    take(0);
    pthread_join(t, 0);
    assert(taken == 0);
    exit(taken);
}
