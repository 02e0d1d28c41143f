// expect: unknown
// reason: The same with orders that only release and acquire: each thread may see that the other one has not come.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first_comes, second_comes;
static int inside;

static void *first(void *argument) {
    atomic_store_explicit(&first_comes, 1, memory_order_release);
    if (!atomic_load_explicit(&second_comes, memory_order_acquire)) // may be of an earlier time
        inside = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    atomic_store_explicit(&second_comes, 1, memory_order_release);
    if (!atomic_load_explicit(&first_comes, memory_order_acquire)) // may be of an earlier time
        inside = 2;
    pthread_join(thread, NULL);
    return inside;
}
