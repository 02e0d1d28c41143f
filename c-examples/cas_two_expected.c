// expect: unsafe
// reason: Two compare-and-swaps expect different values, so a bucket that is no longer empty can
//   still change: 0 becomes 1, and 1 becomes 2.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bucket;

static void *fill(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&bucket, &expected, 1);
    return unused;
}

static void *change(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong(&bucket, &expected, 2);
    return unused;
}

static void *watch(void *unused) {
    int first = atomic_load(&bucket);
    int second = atomic_load(&bucket);
    assert(first == 0 || first == second);
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, fill, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_create(&t[2], 0, watch, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
