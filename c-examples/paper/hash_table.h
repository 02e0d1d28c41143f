// The lockless hash table of the paper's Fig. 5: linear probing, where compare-and-swap writes empty buckets only. The file
// that includes this says what the table holds in the beginning.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
// How many buckets there are.
#ifndef SIZE
#define SIZE 8
#endif
// How many of them are looked at for a value; half of them are enough for each start of a probe sequence.
#ifndef PROBES
#define PROBES (SIZE / 2)
#endif

enum { EMPTY, INSERTED, FOUND, TABLE_FULL };

static_assert(SIZE >= 8 && SIZE % 2 == 0, "two probe sequences");
static_assert(THREADS <= SIZE && SIZE / 2 <= PROBES && PROBES <= SIZE, "every value finds its bucket");

static atomic_int table[SIZE];

// Half of the values start to probe at bucket 0 and the others at bucket SIZE / 2.
static int value(int number) {
    return SIZE / 2 * (number + 2);
}

static int find_or_put(int v) {
    for (int i = 0; i < PROBES; i++) {
        int index = (v + i) % SIZE, seen = EMPTY;
        if (atomic_compare_exchange_strong(&table[index], &seen, v))
            return INSERTED;
        if (seen == v)
            return FOUND;
    }
    return TABLE_FULL;
}

static inline int contains(int v) {
    for (int i = 0; i < PROBES; i++)
        if (atomic_load(&table[(v + i) % SIZE]) == v)
            return 1;
    return 0;
}

// Gives every thread its number, and waits for all.
static void run_threads(void *(*work)(void *)) {
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
}
