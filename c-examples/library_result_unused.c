// expect: unsafe
// reason: Both threads may read the counter before one of them writes it. What the library says of the output is stored and copied, but
//   decides nothing.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static volatile int counter;
static int told[2];

static void *count(void *argument) {
    int seen = counter;
    told[0] = fprintf(stderr, "%d\n", seen);
    counter = seen + 1;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    int seen = counter;
    told[1] = printf("%d\n", seen);
    counter = seen + 1;
    pthread_join(t, 0);
    int sum = told[0] + told[1];
    told[0] = sum;
    assert(counter == 2);
    return 0;
}
