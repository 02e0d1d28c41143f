// expect: safe
// reason: A thread that finds the data missing reads its own copy and publishes it by compare-and-swap; once published the pointer
//   stays, so every thread counts over its own share of the same copy.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
// How many elements each thread looks at.
#ifndef SHARE
#define SHARE 4
#endif

// What each thread would read from the disk, in memory of its own; so the one that comes too late has nothing to free.
static int copies[THREADS][THREADS * SHARE];
static int *_Atomic data;

// Returns how many elements of its share are 0, as all are.
static void *work(void *number) {
    intptr_t me = (intptr_t)number, count = 0;
    if (!atomic_load(&data)) {
        int *none = 0;
        atomic_compare_exchange_strong(&data, &none, copies[me]);
    }
    for (int i = 0; i < SHARE; i++)
        count += atomic_load(&data)[me * SHARE + i] == 0;
    return (void *)count;
}

int main(void) {
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    intptr_t total = 0;
    for (int i = 0; i < THREADS; i++) {
        void *count;
        pthread_join(t[i], &count);
        total += (intptr_t)count;
    }
    assert(total == THREADS * SHARE);
    return 0;
}
