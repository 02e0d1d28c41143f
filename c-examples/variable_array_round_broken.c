// expect: unsafe
// reason: The array of the round before is over when that of this round is declared, and is read afterwards.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned length, rounds;

static void *fill(void *unused) {
    unsigned *before = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned numbers[length];
        numbers[0] = i;
        assert(!before || before[0] == i - 1); // use after scope
        before = numbers;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    length = 1 + __VERIFIER_nondet_uchar() % 2;
    rounds = 1 + __VERIFIER_nondet_uchar() % 3;
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    return 0;
}
