// expect: unsafe
// reason: The thread writes before it unlocks a mutex that it does not hold: what that does is undefined, but what is before it is seen.
// options: --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int written;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    written = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(written == 0);
    return 0;
}
