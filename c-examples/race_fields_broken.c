// expect: unsafe
// reason: The two members are bits of one byte, which C counts as one place.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static struct {
    unsigned char low : 4;
    unsigned char high : 4;
} pair;

static void *set_low(void *argument) {
    pair.low = 1; // data race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set_low, NULL);
    pair.high = 2; // data race
    pthread_join(thread, NULL);
    return pair.low + pair.high;
}
