// expect: unsafe
// reason: Two bit-fields share a byte, so writing one reads and writes back the other, and its new
//   value can be lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile struct {
    unsigned char low : 4;
    unsigned char high : 4;
} nibbles;

static void *set_low(void *unused) {
    nibbles.low = 5;
    return unused;
}

static void *set_high(void *unused) {
    nibbles.high = 9;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set_low, 0);
    pthread_create(&b, 0, set_high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(nibbles.low == 5 && nibbles.high == 9);
    return 0;
}
