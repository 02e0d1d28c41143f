// expect: safe
// reason: A thread that finds the table missing makes one and publishes it by compare-and-swap; the
//   loser frees its own. Once published the table stays, and its content is what its maker wrote.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic table;

static int *make_table(void) {
    int *made = malloc(2 * sizeof *made);
    if (!made)
        abort();
    made[0] = 5;
    made[1] = 6;
    return made;
}

static void *work(void *argument) {
    int index = *(int *)argument;
    if (atomic_load(&table) == 0) {
        int *made = make_table();
        int *expected = 0;
        if (!atomic_compare_exchange_strong(&table, &expected, made))
            free(made);
    }
    assert(atomic_load(&table)[index] == 5 + index);
    return 0;
}

int main(void) {
    static int index[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, 0, work, &index[0]);
    pthread_create(&b, 0, work, &index[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
