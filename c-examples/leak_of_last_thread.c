// expect: safe
// reason: The main thread has ended when the other one frees the block and ends the program.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *work(void *argument) {
    int *block = malloc(sizeof *block);
    *block = 1;
    sum = *block;
    free(block);
    return argument; // memory leak
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
