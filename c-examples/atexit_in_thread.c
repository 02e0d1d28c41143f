// expect: safe
// reason: `exit` runs what is registered, in the thread that calls it; `_exit` does not.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int is_done;

static void check(void) {
    assert(is_done);
}

static void *work(void *is_hard) {
    if (is_hard)
        _exit(0);
    is_done = 1;
    exit(0);
}

int main(void) {
    pthread_t t;
    atexit(check);
    pthread_create(&t, 0, work, __VERIFIER_nondet_bool() ? &is_done : 0);
    pthread_join(t, 0);
    return 0;
}
