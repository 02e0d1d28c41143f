// expect: safe
// reason: The bodies of functions named __VERIFIER_atomic_* are indivisible; taking waits in an
//   assumption until the resource is free.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

static volatile int held;
static volatile int counter;

__attribute__((noinline)) void __VERIFIER_atomic_take(void) {
    __VERIFIER_assume(!held);
    held = 1;
}

static void *work(void *unused) {
    __VERIFIER_atomic_take();
    counter++;
    held = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
