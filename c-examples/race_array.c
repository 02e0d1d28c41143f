// expect: safe
// reason: Each thread writes the slot of which it has drawn the number.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static atomic_uint next;

static void *fill(void *argument) {
    unsigned own = atomic_fetch_add(&next, 1);
    slots[own] = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    fill(NULL);
    pthread_join(thread, NULL);
    return slots[0] + slots[1];
}
