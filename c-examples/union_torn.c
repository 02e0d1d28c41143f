// expect: unsafe
// reason: The word is written in two halves, and the other thread reads it whole in between.
// size: small
// optimised: -O2 joins the two half stores into one unless they are volatile, as here: same
#include <assert.h>
#include <pthread.h>

static volatile union {
    unsigned whole;
    unsigned short halves[2];
} word;

static void *write_halves(void *unused) {
    word.halves[0] = 1;
    word.halves[1] = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write_halves, 0);
    unsigned seen = word.whole;
    assert(seen == 0 || seen == 0x10001u);
    pthread_join(t, 0);
    return 0;
}
