// expect: unsafe
// reason: The thread reads what it was given, and does not free it.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *use(void *argument) {
    int *number = argument;
    sum = *number;
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
