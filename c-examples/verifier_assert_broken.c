// expect: unsafe
// reason: The sum is read before the other thread must have ended.
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
    int before = sum;
    pthread_join(t, 0);
    __VERIFIER_assert(before == 2);
    return 0;
}
