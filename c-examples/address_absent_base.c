// expect: safe
// reason: The difference is computed only where there is a base, and is then the distance within the array.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static long cells[4];
static long *base;

static void *find(void *cell) {
    if (!base)
        return 0;
    uint32_t distance = (uint32_t)((uintptr_t)cell - (uintptr_t)base);
    assert(distance < 1024);
    return 0;
}

int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_uchar() % 2)
        base = cells;
    pthread_create(&thread, 0, find, &cells[2]);
    pthread_join(thread, 0);
    return 0;
}
