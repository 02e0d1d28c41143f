// expect: unsafe
// reason: A thread counts itself without looking whether the object is still there.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_uint references = 1;
static atomic_bool is_alive = true;

static void let_go(void) {
    if (atomic_fetch_sub(&references, 1) == 1)
        is_alive = false;
}

static void *use(void *unused) {
    atomic_fetch_add(&references, 1);
    assert(is_alive);
    let_go();
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, NULL, use, NULL);
    }
    let_go();
    pthread_exit(NULL);
}
