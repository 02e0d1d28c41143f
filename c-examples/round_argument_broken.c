// expect: unsafe
// reason: The second thread writes through the pointer that the first one has left behind, to a variable of an earlier round.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int *left_behind;

static void *increment(void *argument) {
    int *own = argument;
    *own += 1;
    if (left_behind)
        *left_behind += 1; // use after scope
    left_behind = own;
    return 0;
}

int main(void) {
    for (int round = 0; round < 2 && __VERIFIER_nondet_int(); round++) {
        int count = 0;
        pthread_t thread;
        pthread_create(&thread, 0, increment, &count);
        pthread_join(thread, 0);
        assert(count == 1 + round);
    }
    return 0;
}
