// expect: unknown
// reason: Main makes the mutex anew although the thread may hold it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, hold, 0);
    pthread_mutex_init(&mutex, 0);
    pthread_join(a, 0);
}
