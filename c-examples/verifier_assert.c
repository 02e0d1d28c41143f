// expect: safe
// reason: Both increments are atomic, so the sum is 2 when both threads have ended.
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assert(int);

static atomic_int sum;

static void *add(void *unused) {
    sum++;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    sum++;
    pthread_join(t, 0);
    __VERIFIER_assert(sum == 2);
    return 0;
}
