// expect: safe
// reason: Between two writes that belong together cancellation is off, so the request waits until both are done.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int from = 1, to;

static void *work(void *unused) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    from--;
    usleep(10);
    to++;
    pthread_setcancelstate(old, 0);
    usleep(10);
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
