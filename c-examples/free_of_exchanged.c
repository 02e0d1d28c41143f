// expect: safe
// reason: Each thread frees what it found when it took the pointer away, in one step.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic cache;

static void *flush(void *argument) {
    char *mine = atomic_exchange(&cache, NULL);
    free(mine);
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
