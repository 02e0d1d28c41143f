// expect: unsafe
// reason: Main ends the run whatever it sees, but the other thread may be faster.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int seen;

static void *write_and_fail(void *argument) {
    seen = 1;
    assert(argument);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write_and_fail, 0);
    if (seen != 2)
        exit(0);
    pthread_join(t, 0);
}
