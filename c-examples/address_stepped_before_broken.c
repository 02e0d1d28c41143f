// expect: unknown
// reason: Some steps before the first element there may be the number 4094.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static char text[8];
static unsigned char steps;

static void *go_back(void *start) {
    uintptr_t number = (uintptr_t)start;
    for (unsigned i = 0; i < steps; i++)
        number -= 2;
    assert(number != 4094);
    return 0;
}

int main(void) {
    pthread_t thread;
    steps = __VERIFIER_nondet_uchar() % 4;
    pthread_create(&thread, 0, go_back, text + 4);
    pthread_join(thread, 0);
    return 0;
}
