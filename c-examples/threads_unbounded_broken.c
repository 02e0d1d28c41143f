// expect: unsafe
// reason: The loop may start any number of threads, and two are enough to violate the assertion:
//   the limit on threads is no excuse.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

static atomic_int running;

static void *work(void *unused) {
    assert(atomic_fetch_add(&running, 1) == 0);
    atomic_fetch_sub(&running, 1);
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_detach(t);
    }
    return 0;
}
