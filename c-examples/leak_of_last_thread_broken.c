// expect: unsafe
// reason: The last thread ends the program, and has not freed its block.
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
    return argument; // memory leak
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
