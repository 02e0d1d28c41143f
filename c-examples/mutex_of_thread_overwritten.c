// expect: unknown
// reason: The thread sets its own mutex to zero while it holds it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static _Thread_local struct {
    pthread_mutex_t mutex;
    int count;
} own;

static void *reset(void *argument) {
    pthread_mutex_lock(&own.mutex);
    memset(&own, 0, sizeof own);
    assert(own.count == 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reset, 0);
    pthread_join(thread, 0);
    return 0;
}
