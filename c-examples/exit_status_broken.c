// expect: unsafe
// reason: The run ends with a status that is not 0 if the other thread was first.
// options: --abort-is-error
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static volatile int first;

static void *run(void *argument) {
    first = 1;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    exit(first);
}
