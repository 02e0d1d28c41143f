// expect: safe
// reason: The variable is declared before the loop, so that all rounds have one, which lies in one place.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned rounds;

static void *measure(void *unused) {
    uintptr_t first = 0;
    unsigned number;
    for (unsigned i = 0; i < rounds; i++) {
        number = i;
        if (!first)
            first = (uintptr_t)&number;
        else
            assert((uintptr_t)&number - first == 0);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    rounds = 1 + __VERIFIER_nondet_uchar() % 3;
    pthread_create(&thread, 0, measure, 0);
    pthread_join(thread, 0);
    return 0;
}
