// expect: unsafe
// reason: The block moves to larger memory, which reads it, while the thread may still change it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *change(void *argument) {
    *block = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&thread, NULL, change, NULL);
    int *larger = realloc(block, 2 * sizeof *block); // data race
    pthread_join(thread, NULL);
    int kept = *larger;
    free(larger);
    return kept;
}
