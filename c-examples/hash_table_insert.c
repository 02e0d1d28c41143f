// expect: safe
// reason: All values hash to the same bucket, so the threads compete for the probe sequence;
//   compare-and-swap writes only empty buckets, so each value ends up in the table exactly once,
//   the repeated one too.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 3, INSERTED = 1, FOUND = 2, FULL = 3 };

static atomic_int table[SIZE];
static int results[3];

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

static void *put_21(void *result) {
    *(int *)result = find_or_put(21);
    return 0;
}

static void *put_24(void *result) {
    *(int *)result = find_or_put(24);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, put_21, &results[0]);
    pthread_create(&b, 0, put_24, &results[1]);
    pthread_create(&c, 0, put_21, &results[2]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(results[1] == INSERTED);
    assert(results[0] + results[2] == INSERTED + FOUND);
    int count = 0;
    for (int i = 0; i < SIZE; i++)
        count += table[i] != 0;
    assert(count == 2);
    return 0;
}
