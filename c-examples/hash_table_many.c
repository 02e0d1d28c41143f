// expect: safe
// reason: Three threads insert two values each into a table of eight buckets; two of the five
//   values are present already. Each value is in the table once afterwards.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 8 };

static atomic_int table[SIZE] = {0, 0, 23, 25, 0, 0, 0, 0};

static void put(int value) {
    for (int i = 0; i < SIZE; i++) {
        int index = (value / 10 + i) % SIZE;
        int seen = 0;
        if (atomic_compare_exchange_strong(&table[index], &seen, value) || seen == value)
            return;
    }
}

static int occurrences(int value) {
    int count = 0;
    for (int i = 0; i < SIZE; i++)
        count += atomic_load(&table[i]) == value;
    return count;
}

static void *work(void *values) {
    put(((int *)values)[0]);
    put(((int *)values)[1]);
    return 0;
}

int main(void) {
    static int values[3][2] = {{23, 24}, {25, 26}, {24, 27}};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, values[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    for (int value = 23; value <= 27; value++)
        assert(occurrences(value) == 1);
    return 0;
}
