// expect: unknown
// reason: Where addresses have 32 bits, some are negative as a `long` and some are not; the program relies on one or the other.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int object;
static long place;

static void *publish(void *unused) {
    place = (long)&object;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    pthread_join(thread, 0);
    assert(place < 0);
    return 0;
}
