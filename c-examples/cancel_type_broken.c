// expect: unknown
// reason: Cancellation at any instruction, which would come between the writes, is not supported.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int from = 1, to;

static void *work(void *unused) {
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    pthread_testcancel();
    from--;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    to++;
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(from + to == 1);
    return 0;
}
