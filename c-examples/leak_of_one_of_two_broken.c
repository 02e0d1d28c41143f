// expect: unsafe
// reason: Both threads may find that nothing is kept, and one block is lost.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) kept;

static void *keep(void *argument) {
    int *block = malloc(sizeof *block);
    if (kept == NULL)
        kept = block;
    else
        free(block);
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
