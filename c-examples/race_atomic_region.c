// expect: safe
// reason: Both accesses are in atomic regions.
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
    right++;
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum;
    pthread_create(&thread, NULL, move, NULL);
    __VERIFIER_atomic_begin();
    sum = left + right;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return sum;
}
