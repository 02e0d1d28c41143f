// expect: unsafe
// reason: The first round's variable is over in the second one, which reads it through its address.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned rounds;

static void *count(void *unused) {
    unsigned *first = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned number;
        number = i;
        if (!first)
            first = &number;
        assert(*first == 0); // use after scope
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
