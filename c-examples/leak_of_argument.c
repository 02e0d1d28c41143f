// expect: safe
// reason: The thread frees what it was given.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *use(void *argument) {
    int *number = argument;
    sum = *number;
    free(number);
    return NULL;
}

int main(void) {
    int *number = malloc(sizeof *number);
    pthread_t thread;
    *number = 1;
    pthread_create(&thread, NULL, use, number);
    pthread_join(thread, NULL);
    return 0; // memory leak
}
