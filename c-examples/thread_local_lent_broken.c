// expect: unsafe
// reason: Main may read the thread's variable after it was set and before the thread ends.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static _Thread_local int own;
static int *_Atomic lent;

static void *lend(void *unused) {
    own = 3;
    lent = &own;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, lend, 0);
    int *seen = lent;
    if (seen)
        assert(*seen == 2);
    return 0;
}
