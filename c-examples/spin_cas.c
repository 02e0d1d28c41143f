// expect: safe
// reason: The lock word holds its owner's number, taken by compare-and-swap from 0. Three threads
//   run for ever, each sees its own number while it holds the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

static atomic_int owner;
static volatile int inside;

static void *work(void *number) {
    int me = *(int *)number;
    for (;;) {
        int free_value = 0;
        while (!atomic_compare_exchange_strong(&owner, &free_value, me))
            free_value = 0;
        inside = me;
        assert(inside == me);
        assert(atomic_load(&owner) == me);
        atomic_store(&owner, 0);
    }
    return 0;
}

int main(void) {
    static int numbers[THREADS];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i + 1;
        pthread_create(&t[i], 0, work, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
