// expect: safe
// reason: The array is new in each round, and used by the thread only while its block lasts.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void *adder(void *argument) {
    int *row = argument;
    row[0] = row[1] + 1;
    return 0;
}

int main(void) {
    int length = __VERIFIER_nondet_int() ? 2 : 3;
    int *sum = malloc(sizeof *sum);
    *sum = 0;
    for (int i = 0; i < 2; i++) {
        int row[length];
        pthread_t thread;
        row[1] = i;
        pthread_create(&thread, 0, adder, row);
        pthread_join(thread, 0);
        *sum += row[0];
    }
    assert(*sum == 3);
    free(sum);
    return 0;
}
