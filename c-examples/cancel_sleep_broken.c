// expect: unsafe
// reason: A wait for a thread that has ended need not act upon the request, so the thread may go on behind it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int waited;

static void *end(void *unused) {
    return unused;
}

static void *work(void *unused) {
    pthread_t other;
    pthread_create(&other, 0, end, 0);
    pthread_cancel(pthread_self());
    pthread_join(other, 0);
    waited = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(waited == 0);
    return 0;
}
