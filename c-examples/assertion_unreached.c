// expect: safe
// reason: No thread runs the function with the assertion; the verdict warns of that.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int shared;

void check(void) { assert(shared == 2); }

static void *write(void *argument) {
    shared = 1;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    pthread_join(t, 0);
    return shared;
}
