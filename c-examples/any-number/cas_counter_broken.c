// expect: unsafe
// reason: A thread adds without looking at the limit again, after others have reached it.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LIMIT 2

static atomic_uint counter;

static void *add(void *unused) {
    unsigned before = atomic_load(&counter);
    if (before == LIMIT)
        return unused;
    atomic_fetch_add(&counter, 1);
    assert(atomic_load(&counter) <= LIMIT);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, add, NULL);
    }
}
