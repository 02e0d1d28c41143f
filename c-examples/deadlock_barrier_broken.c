// expect: unsafe
// reason: The barrier waits for one thread more than there are.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_barrier_t barrier;

static void *arrive(void *argument) {
    pthread_barrier_wait(&barrier); // deadlock
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_create(&one, NULL, arrive, NULL);
    pthread_create(&other, NULL, arrive, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
