// expect: unknown
// reason: The process ends while a thread runs whose variable leads to the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) {
    int *block = malloc(sizeof *block);
    *block = 1;
    free(block);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    return 0;
}
