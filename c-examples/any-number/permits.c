// expect: safe
// reason: A thread takes the last permit or none, and gives it back: what is left is 1 less the number of threads that
//   have it, so no two have it.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_int permits = 1;
static int inside;

static void *work(void *unused) {
    int left = atomic_load(&permits);
    if (left <= 0 || !atomic_compare_exchange_strong(&permits, &left, left - 1))
        return unused;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_fetch_add(&permits, 1);
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
    pthread_exit(NULL);
}
