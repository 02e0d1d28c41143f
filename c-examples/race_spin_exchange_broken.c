// expect: unknown
// reason: The lock is given back with a store that does not release.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int hits;

static void *hit(void *argument) {
    int expected;
    do {
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            ;
        expected = 0;
    } while (!atomic_compare_exchange_weak_explicit(&taken, &expected, 1, memory_order_acquire, memory_order_relaxed));
    hits++;
    atomic_store_explicit(&taken, 0, memory_order_relaxed); // does not release
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    hit(NULL);
    pthread_join(thread, NULL);
    return hits;
}
