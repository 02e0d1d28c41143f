// expect: safe
// reason: Each thread writes its own half before the barrier and reads the other half behind it.
// options: --property no-data-race
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static int half[2], sums[2];
static pthread_barrier_t barrier;

static void *add(void *argument) {
    int *place = argument;
    int own = (int)(place - half);
    half[own] = own + 1;
    pthread_barrier_wait(&barrier);
    sums[own] = half[0] + half[1];
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, add, &half[1]);
    add(&half[0]);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return sums[0] - sums[1];
}
