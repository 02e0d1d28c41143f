// expect: unsafe
// reason: The thread may have ended before it is asked.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int pthread_tryjoin_np(pthread_t, void **);

static void *run(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int error = pthread_tryjoin_np(thread, NULL);
    assert(error == EBUSY);
    if (error == EBUSY)
        pthread_join(thread, NULL);
    return 0;
}
