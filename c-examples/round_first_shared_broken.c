// expect: unsafe
// reason: All rounds have one variable, because it is declared before the loop, and the second one changes it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned rounds;

static void *count(void *unused) {
    unsigned *first = 0;
    unsigned number;
    for (unsigned i = 0; i < rounds; i++) {
        number = i;
        if (!first)
            first = &number;
        assert(*first == 0);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    rounds = 1 + __VERIFIER_nondet_uchar() % 3;
    pthread_create(&thread, 0, count, 0);
    pthread_join(thread, 0);
    return 0;
}
