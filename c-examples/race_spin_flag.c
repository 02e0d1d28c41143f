// expect: safe
// reason: The flag is taken with acquire and given back with release: one lock, however weak a try is that fails.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int hits;

static void *hit(void *argument) {
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
    hits++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    hit(NULL);
    pthread_join(thread, NULL);
    return hits;
}
