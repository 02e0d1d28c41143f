// expect: safe
// reason: As many threads arrive as the barrier waits for.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_barrier_t barrier;

static void *arrive(void *argument) {
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&one, NULL, arrive, NULL);
    pthread_create(&other, NULL, arrive, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
