// expect: safe
// reason: The consumer only goes on in runs in which it finds the flag set; in the others it stays
//   where it is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

static volatile int data, ready;

static void *produce(void *unused) {
    data = 9;
    ready = 1;
    return unused;
}

static void *consume(void *unused) {
    __VERIFIER_assume(ready);
    assert(data == 9);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
