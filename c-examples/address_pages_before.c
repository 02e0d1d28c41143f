// expect: safe
// reason: No multiple of a page leads from an object upwards to the number 0.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static long object;
static unsigned char pages;

static void *measure(void *argument) {
    uintptr_t behind = (uintptr_t)argument + pages * 4096u;
    assert(behind != 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pages = __VERIFIER_nondet_uchar();
    pthread_create(&thread, 0, measure, &object);
    pthread_join(thread, 0);
    return 0;
}
