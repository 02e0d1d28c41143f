// expect: safe
// reason: The block belongs to whoever has taken the only pointer to it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic offered;

static void *offer(void *argument) {
    int *block = malloc(sizeof *block);
    if (block == NULL)
        return argument;
    *block = 1;
    atomic_store(&offered, block);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, offer, NULL);
    int *taken = atomic_exchange(&offered, NULL);
    if (taken != NULL)
        seen = *taken;
    pthread_join(thread, NULL);
    free(taken);
    return seen;
}
