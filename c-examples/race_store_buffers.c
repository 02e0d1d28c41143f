// expect: safe
// reason: Of two threads that say first that they come and look then whether the other one does, at most one goes
//   on.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first_comes, second_comes;
static int inside;

static void *first(void *argument) {
    atomic_store_explicit(&first_comes, 1, memory_order_seq_cst);
    if (!atomic_load_explicit(&second_comes, memory_order_seq_cst))
        inside = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    atomic_store_explicit(&second_comes, 1, memory_order_seq_cst);
    if (!atomic_load_explicit(&first_comes, memory_order_seq_cst))
        inside = 2;
    pthread_join(thread, NULL);
    return inside;
}
