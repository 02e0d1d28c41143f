// expect: safe
// reason: Each thread counts itself before it uses the object, unless nobody does any more. That the number is that of
//   the threads which use it, and `main`, is proved for any number of threads.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <limits.h>
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
    unsigned before = atomic_load(&references);
    do {
        if (before == 0 || before == UINT_MAX)
            return unused;
    } while (!atomic_compare_exchange_strong(&references, &before, before + 1));
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
