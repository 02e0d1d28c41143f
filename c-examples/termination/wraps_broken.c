// expect: unsafe
// reason: The counter is a signed number of 8 bits: it wraps around at 127 and never arrives at a limit above that.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static volatile int limit = 200;
static volatile signed char counter;

static void *count(void *unused) {
    counter = 1;
    while (counter < limit)
        counter = (signed char)(counter + 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    limit += 10;
    pthread_join(thread, NULL);
    return 0;
}
