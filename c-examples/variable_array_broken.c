// expect: unsafe
// reason: The thread may still use the array of variable length when the block is over.
// size: small
// optimised: same
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *adder(void *argument) {
    int *row = argument;
    row[0] = row[1] + 1; // use after scope
    return 0;
}

int main(void) {
    int length = __VERIFIER_nondet_int() ? 2 : 3;
    pthread_t thread;
    {
        int row[length];
        row[1] = 1;
        pthread_create(&thread, 0, adder, row);
    }
    pthread_join(thread, 0);
    return 0;
}
