// The load balancing of the paper's Fig. 6. The file that includes this has defined `limit`, to which every worker counts.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned counters[THREADS];

static void *work(void *counter) {
    unsigned *mine = counter;
    while (*mine < limit)
        ++*mine;
    return 0;
}

// Hands each worker another counter, starting at one that an input chooses, and returns the sum of all that they counted.
static unsigned count_all(void) {
    pthread_t t[THREADS];
    int first = __VERIFIER_nondet_uchar() % THREADS;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, &counters[(first + i) % THREADS]);
    unsigned sum = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < THREADS; i++)
        sum += counters[i];
    return sum;
}
