// expect: safe
// reason: The pointer is set before the flag is, and read only where the flag is set.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int value = 7;
static int *_Atomic shared;
static atomic_int ready;

static void *publish(void *argument) {
    (void)argument;
    shared = &value;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    int seen = 0;
    if (ready)
        seen = *shared;
    pthread_join(thread, NULL);
    return seen;
}
