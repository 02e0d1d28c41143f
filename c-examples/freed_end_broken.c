// expect: unknown
// reason: Where freed memory ended, a variable may start.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static long variable;
static long *block;

static void *release(void *unused) {
    free(block);
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(4 * sizeof(long));
    uintptr_t end = (uintptr_t)(block + 4);
    pthread_create(&thread, 0, release, 0);
    pthread_join(thread, 0);
    assert(end != (uintptr_t)&variable);
    return 0;
}
