// expect: unknown
// reason: The last thread that ends would run what is registered, which is not supported.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void fail(void) {
    assert(0);
}

int main(void) {
    atexit(fail);
    pthread_exit(0);
}
