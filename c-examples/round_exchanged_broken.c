// expect: unknown
// reason: Whether the exchange finds the address of the first round's variable depends on where the variable of this round lies.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned char __VERIFIER_nondet_uchar(void);

static _Atomic(unsigned *) slot;
static unsigned rounds;

static void *exchange(void *unused) {
    unsigned *first = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned number;
        number = i;
        slot = &number;
        unsigned *expected = first;
        assert(!first || !atomic_compare_exchange_strong(&slot, &expected, 0));
        if (!first)
            first = &number;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    rounds = 1 + __VERIFIER_nondet_uchar() % 3;
    pthread_create(&thread, 0, exchange, 0);
    pthread_join(thread, 0);
    return 0;
}
