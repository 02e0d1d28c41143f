// expect: safe
// reason: Each increment is one step.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static _Atomic int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
