// expect: safe
// reason: Who takes the count to zero frees the buffer, and the count is changed in one step.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static char *buffer;

static void *release(void *argument) {
    if (--users == 0)
        free(buffer);
    return argument;
}

int main(void) {
    pthread_t thread;
    buffer = malloc(4);
    pthread_create(&thread, NULL, release, NULL);
    release(NULL);
    pthread_join(thread, NULL);
    return 0;
}
