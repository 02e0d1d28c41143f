// expect: unknown
// reason: A handler that the end of its thread runs must not enable cancellation.
// size: small
// optimised: same
#include <pthread.h>

static void enable(void *unused) {
    (void)unused;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
}

static void *work(void *unused) {
    pthread_cleanup_push(enable, 0);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
