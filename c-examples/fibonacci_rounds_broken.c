// expect: unsafe
// reason: Two threads add to each other's variable; strict alternation makes the largest number, that of
//   Fibonacci with twice as many steps as each has rounds, and the bound is one less.
// options: --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 4
#endif

static volatile int i = 1, j = 1;

static void *add_to_i(void *unused) {
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return unused;
}

static void *add_to_j(void *unused) {
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return unused;
}

static int largest(void) {
    int last = 1, next = 1;
    for (int k = 0; k < ROUNDS; k++) {
        last += next;
        next += last;
    }
    return next;
}

int main(void) {
    pthread_t a, b;
    int bound = largest() - 1;
    pthread_create(&a, 0, add_to_i, 0);
    pthread_create(&b, 0, add_to_j, 0);
    int seen = i;
    assert(seen <= bound);
    seen = j;
    assert(seen <= bound);
    return 0;
}
