// expect: unknown
// reason: The difference of a pointer and null is the number of the pointer, of which the low half may be anything.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static long cells[4];
static long *base;

static void *find(void *cell) {
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
