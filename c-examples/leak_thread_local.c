// expect: safe
// reason: The thread frees what its own variable leads to.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int *own;

static void *work(void *argument) {
    own = malloc(sizeof *own);
    *own = 1;
    free(own);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0; // memory leak
}
