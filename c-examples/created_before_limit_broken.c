// expect: unsafe
// reason: The thread was created before main unlocks a mutex that it does not hold: what that does is undefined, but the thread may run first.
// options: --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int started;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *check(void *unused) {
    assert(started != 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    started = 1;
    pthread_create(&thread, NULL, check, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
