// expect: unsafe
// reason: The variable of the thread is gone when it has ended, and nothing leads to the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int *own;

static void *work(void *argument) {
    own = malloc(sizeof *own);
    *own = 1;
    *own = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0; // memory leak
}
