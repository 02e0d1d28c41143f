// expect: safe
// reason: The counter is changed by one thread and read after that was joined; its weak order is not needed.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int last;

static void *work(void *argument) {
    last = 1;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    int seen = atomic_load_explicit(&count, memory_order_relaxed) + last;
    return seen;
}
