// expect: unsafe
// reason: A function that no file defines may be a cancellation point.
// options: --undefined arbitrary
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void log_elsewhere(int);

static void *work(void *unused) {
    log_elsewhere(1);
    return unused;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == 0);
    return 0;
}
