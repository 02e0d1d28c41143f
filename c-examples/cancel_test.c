// expect: safe
// reason: The thread acts upon the request that it has made itself at the first cancellation point, not before.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int reached;

static void *work(void *unused) {
    pthread_cancel(pthread_self());
    reached = 1;
    pthread_testcancel();
    reached = 2;
    return unused;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    assert(reached == 1 && result == PTHREAD_CANCELED);
    return 0;
}
