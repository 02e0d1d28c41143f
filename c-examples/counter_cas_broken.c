// expect: unsafe
// reason: A failed compare-and-swap is not repeated, so its increment is lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *work(void *unused) {
    int seen = atomic_load(&counter);
    atomic_compare_exchange_strong(&counter, &seen, seen + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
