// expect: unsafe
// reason: A library function that calls back a cancellation point lets the thread end there.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int reached;

static void call(void (*point)(void)) {
    point();
}

static void *work(void *unused) {
    pthread_cancel(pthread_self());
    call(pthread_testcancel);
    reached = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(reached);
    return 0;
}
