// expect: safe
// reason: Every thread looks for a value that the table contains already. Buckets that are not
//   empty never change, so all find theirs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 4, INSERTED = 1, FOUND = 2, FULL = 3 };

static atomic_int table[SIZE] = {12, 0, 25, 22};

static int find_or_put(int value) {
    for (int i = 0; i < SIZE; i++) {
        int index = (value / 10 + i) % SIZE;
        int seen = 0;
        if (atomic_compare_exchange_strong(&table[index], &seen, value))
            return INSERTED;
        if (seen == value)
            return FOUND;
    }
    return FULL;
}

static void *look_up(void *value) {
    assert(find_or_put(*(int *)value) == FOUND);
    return 0;
}

int main(void) {
    static int values[3] = {25, 22, 12};
    pthread_t t[3];
    atomic_store(&table[1], 99);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, look_up, &values[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
