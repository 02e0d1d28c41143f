// expect: unsafe
// reason: A false assumption stops its own thread only; what it wrote before stays, and main sees
//   it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

static volatile int seen;

static void *work(void *unused) {
    seen = 1;
    __VERIFIER_assume(0);
    seen = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(seen == 0);
    return 0;
}
