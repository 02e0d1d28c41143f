// expect: unsafe
// reason: A thread writes and then spins for ever. A reduction that lets the spinning thread run
//   until it stops would never let main look at what it wrote.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int written, never;

static void *work(void *unused) {
    written = 1;
    while (!never) {
    }
    written = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(!written);
    return 0;
}
