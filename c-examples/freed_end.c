// expect: safe
// reason: A variable of static storage lies nowhere in memory that was freed while it existed.
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
    uintptr_t start = (uintptr_t)block, last = (uintptr_t)(block + 3);
    pthread_create(&thread, 0, release, 0);
    pthread_join(thread, 0);
    assert(start != (uintptr_t)&variable && last != (uintptr_t)&variable);
    return 0;
}
