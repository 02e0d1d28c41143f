// expect: safe
// reason: The bucket is written by compare-and-swap from 0 only, so once it is not 0 it stays as it
//   is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bucket;

static void *fill(void *value) {
    int expected = 0;
    atomic_compare_exchange_strong(&bucket, &expected, *(int *)value);
    return 0;
}

static void *watch(void *unused) {
    int first = atomic_load(&bucket);
    int second = atomic_load(&bucket);
    assert(first == 0 || first == second);
    return unused;
}

int main(void) {
    static int values[2] = {1, 2};
    pthread_t t[3];
    pthread_create(&t[0], 0, fill, &values[0]);
    pthread_create(&t[1], 0, fill, &values[1]);
    pthread_create(&t[2], 0, watch, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(atomic_load(&bucket) != 0);
    return 0;
}
