// expect: safe
// reason: The run ends before anyone sees what was written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);

static int written;

static void *write_and_exit(void *argument) {
    (void)argument;
    __VERIFIER_atomic_begin();
    written = 1;
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write_and_exit, 0);
    assert(written == 0);
    pthread_join(t, 0);
}
