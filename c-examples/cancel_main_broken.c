// expect: unsafe
// reason: Nobody knows whether the main thread has come to its last statement when the request comes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *first) {
    pthread_cancel(*(pthread_t *)first);
    pthread_join(*(pthread_t *)first, 0);
    assert(done);
    return 0;
}

static pthread_t first;

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, work, &first);
    pthread_testcancel();
    done = 1;
    pthread_exit(0);
}
