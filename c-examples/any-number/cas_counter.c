// expect: safe
// reason: The value that is replaced is below the limit, and is still there when it is replaced.
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
    do {
        if (before == LIMIT)
            return unused;
    } while (!atomic_compare_exchange_strong(&counter, &before, before + 1));
    assert(atomic_load(&counter) <= LIMIT);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, add, NULL);
    }
}
