// expect: unknown
// reason: Two neighbours that were freed may become one object, and the number of the second is that of the inside of the new one.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static char *low, *high;

static void *release(void *unused) {
    free(high);
    free(low);
    return unused;
}

int main(void) {
    pthread_t thread;
    low = malloc(16);
    high = malloc(16);
    uintptr_t number = (uintptr_t)high;
    pthread_create(&thread, 0, release, 0);
    pthread_join(thread, 0);
    char *merged = malloc(48);
    assert((uintptr_t)merged + 32 != number);
    free(merged);
    return 0;
}
