// expect: unknown
// reason: The loop may start any number of threads. Every number satisfies the assertion, but only
//   as many as the limit on threads are looked at.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

static atomic_bool seen;

static void *work(void *unused) {
    atomic_store(&seen, 1);
    assert(atomic_load(&seen));
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
