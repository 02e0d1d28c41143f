// expect: unsafe
// reason: The copy of the held mutex is initialised before its use, so it is a mutex, and free.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, copy;

int main(void) {
    pthread_mutex_lock(&mutex);
    copy = mutex;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_init(&copy, NULL);
    assert(pthread_mutex_trylock(&copy) == EBUSY);
}
