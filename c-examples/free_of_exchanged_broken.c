// expect: unsafe
// reason: A thread takes the pointer away after it has read it, so both may free the same.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic cache;

static void *flush(void *argument) {
    char *mine = cache;
    cache = NULL;
    free(mine); // double free
    return argument;
}

int main(void) {
    pthread_t thread;
    cache = malloc(4);
    pthread_create(&thread, NULL, flush, NULL);
    flush(NULL);
    pthread_join(thread, NULL);
    return 0;
}
