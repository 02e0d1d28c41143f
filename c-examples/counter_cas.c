// expect: safe
// reason: A compare-and-swap succeeds only if the value is the one that was incremented, and is
//   repeated otherwise.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        int seen = atomic_load(&counter);
        while (!atomic_compare_exchange_weak(&counter, &seen, seen + 1)) {
        }
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
