// expect: unsafe
// reason: Between the write and the end of the run, main sees what was written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int written;

static void *write_and_exit(void *argument) {
    (void)argument;
    __VERIFIER_atomic_begin();
    written = 1;
    __VERIFIER_atomic_end();
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write_and_exit, 0);
    assert(written == 0);
    pthread_join(t, 0);
}
