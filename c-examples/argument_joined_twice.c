// expect: unknown
// reason: The thread whose handle is the argument of another one is joined by that and by main, which is undefined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *work(void *unused) {
    return unused;
}

static void *finish(void *handle) {
    int error = pthread_join((pthread_t)handle, 0);
    assert(error == 0);
    return 0;
}

static void *leave(void *handle) {
    return handle;
}

int main(void) {
    pthread_t worker, other;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&other, 0, __VERIFIER_nondet_int() ? finish : leave, (void *)worker);
    pthread_join(other, 0);
    pthread_join(worker, 0);
    return 0;
}
