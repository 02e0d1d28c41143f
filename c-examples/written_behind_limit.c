// expect: unknown
// reason: The thread unlocks a mutex that it does not hold: what that does is undefined, and so is whether it writes then.
// options: --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int written;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    pthread_mutex_unlock(&mutex);
    written = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(written == 0);
    return 0;
}
