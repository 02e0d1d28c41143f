// expect: safe
// reason: The thread waits for another one that has ended, and may return from that or be cancelled, but does not sleep on.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int slept;

static void *end(void *unused) {
    return unused;
}

static void *work(void *unused) {
    pthread_t other;
    struct timespec second = {1, 0}, rest;
    pthread_create(&other, 0, end, 0);
    pthread_cancel(pthread_self());
    pthread_join(other, 0);
    nanosleep(&second, &rest);
    slept = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(slept == 0);
    return 0;
}
