// expect: safe
// reason: The thread ends the whole program, so main never gets past the join.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    (void)unused;
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
