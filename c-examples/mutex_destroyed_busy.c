// expect: safe
// reason: A mutex that is held cannot be destroyed, which is an error and no more; when it is free
//   it can, and be made again.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    assert(pthread_mutex_destroy(&mutex) == EBUSY);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, 0, hold, 0);
    pthread_join(a, 0);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_destroy(&mutex) == 0);
    pthread_mutex_init(&mutex, 0);
    assert(pthread_mutex_trylock(&mutex) == 0);
}
