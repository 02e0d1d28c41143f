// expect: unknown
// reason: The copy is made while the mutex is held. Using it is undefined, so it tells nothing that it looks held.
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
    assert(pthread_mutex_trylock(&copy) == 0);
}
