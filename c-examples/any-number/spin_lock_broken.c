// expect: unsafe
// reason: The flag is looked at and set in two steps.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_bool held;
static int inside;

static void *work(void *unused) {
    while (atomic_load(&held)) {
    }
    atomic_store(&held, true);
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&held, false);
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
    pthread_exit(NULL);
}
