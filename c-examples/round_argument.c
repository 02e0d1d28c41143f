// expect: safe
// reason: Each thread gets the variable of its round, and is over before the round is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *increment(void *argument) {
    int *own = argument;
    *own += 1;
    return 0;
}

int main(void) {
    for (int round = 0; round < 2 && __VERIFIER_nondet_int(); round++) {
        int count = 0;
        pthread_t thread;
        pthread_create(&thread, 0, increment, &count);
        pthread_join(thread, 0);
        assert(count == 1);
    }
    return 0;
}
