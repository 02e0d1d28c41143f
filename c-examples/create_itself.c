// expect: unsafe
// reason: A thread that may start another run of its own routine goes on afterwards like any other thread, and one input
//   satisfies the equation.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void *worker(void *unused) {
    if (__VERIFIER_nondet_bool()) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
    assert(__VERIFIER_nondet_uint() * 7 != 123456789);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
