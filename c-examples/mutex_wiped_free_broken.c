// expect: unsafe
// reason: The mutex is free again when it is wiped, and zero bytes are a free mutex: the thread gets it.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    memset(&mutex, 0, sizeof mutex);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
}
