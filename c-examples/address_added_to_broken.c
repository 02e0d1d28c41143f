// expect: unsafe
// reason: The pointer is moved by three elements in all, so it leads to the last one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int table[4] = {1, 2, 3, 4};
static _Atomic uintptr_t place = (uintptr_t)table;

static void *move(void *distance) {
    atomic_fetch_add(&place, (uintptr_t)distance);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, move, (void *)sizeof *table);
    pthread_create(&threads[1], 0, move, (void *)(2 * sizeof *table));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(*(int *)place == 3);
    return 0;
}
