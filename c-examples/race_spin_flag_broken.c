// expect: unsafe
// reason: The flag is given back before the access.
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
    atomic_flag_clear_explicit(&taken, memory_order_release);
    hits++; // data race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    hit(NULL);
    pthread_join(thread, NULL);
    return hits;
}
