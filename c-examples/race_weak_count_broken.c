// expect: unsafe
// reason: The weak counter is read, and the plain variable behind it, while the other thread writes both.
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
    int seen = last; // data race
    seen += atomic_load_explicit(&count, memory_order_relaxed);
    pthread_join(thread, NULL);
    return seen;
}
