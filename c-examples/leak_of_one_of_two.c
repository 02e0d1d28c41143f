// expect: safe
// reason: The threads exchange the pointer in one step, so each block is freed or kept.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) kept;

static void *keep(void *argument) {
    int *block = malloc(sizeof *block);
    free(atomic_exchange(&kept, block));
    return argument;
}

int main(void) {
    pthread_t one, another;
    pthread_create(&one, NULL, keep, NULL);
    pthread_create(&another, NULL, keep, NULL);
    pthread_join(one, NULL);
    pthread_join(another, NULL);
    free(kept);
    return 0; // memory leak
}
