// expect: unsafe
// reason: One of them is not, so it may come at the same time as the region.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int left = 1, right = 1;

static void *move(void *argument) {
    __VERIFIER_atomic_begin();
    left--;
    right++; // data race
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum;
    pthread_create(&thread, NULL, move, NULL);
    sum = right;
    pthread_join(thread, NULL);
    return sum;
}
