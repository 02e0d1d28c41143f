// expect: unsafe
// reason: The table is published by a plain store, so the second thread can replace a table in
//   which the first one has already written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int tables[2][2];
static int *_Atomic table;

static void work(int me) {
    if (atomic_load(&table) == 0)
        atomic_store(&table, tables[me]);
    atomic_load(&table)[me] = 1;
}

static void *first(void *unused) {
    work(0);
    return unused;
}

static void *second(void *unused) {
    work(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(table[0] == 1 && table[1] == 1);
    return 0;
}
