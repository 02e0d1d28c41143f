// expect: unsafe
// reason: One of the threads uses a mutex of its own, so its increment may be lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int counter;

static void *work(void *lock) {
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, &locks[i == 2]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(counter == 3);
    return 0;
}
