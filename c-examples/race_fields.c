// expect: safe
// reason: The threads write different members of one structure, which do not overlap.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static struct {
    unsigned char low;
    unsigned char high;
} pair;

static void *set_low(void *argument) {
    pair.low = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set_low, NULL);
    pair.high = 2;
    pthread_join(thread, NULL);
    return pair.low + pair.high;
}
