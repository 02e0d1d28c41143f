// expect: unsafe
// reason: The flag is set first, so the reader may still find a null pointer.
// options: --property valid-deref
// size: small
// optimised: LLVM knows the only address that anything can be read through
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int value = 7;
static int *_Atomic shared;
static atomic_int ready;

static void *publish(void *argument) {
    (void)argument;
    ready = 1;
    shared = &value;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    int seen = 0;
    if (ready)
        seen = *shared; // null pointer
    pthread_join(thread, NULL);
    return seen;
}
