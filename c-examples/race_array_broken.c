// expect: unsafe
// reason: Both threads may have drawn the same number.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static atomic_uint next;

static void *fill(void *argument) {
    unsigned own = atomic_load(&next);
    atomic_store(&next, own + 1);
    slots[own] = 1; // data race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    fill(NULL);
    pthread_join(thread, NULL);
    return slots[0] + slots[1];
}
