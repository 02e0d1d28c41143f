// expect: safe
// reason: An object that was there before another one was freed lies apart from what was freed.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *release(void *memory) {
    free(memory);
    return 0;
}

int main(void) {
    pthread_t thread;
    char *kept = malloc(64), *freed = malloc(16);
    uintptr_t number = (uintptr_t)freed;
    int inside = (uintptr_t)kept + 32 == number;
    pthread_create(&thread, 0, release, freed);
    pthread_join(thread, 0);
    assert(!inside);
    free(kept);
    return 0;
}
