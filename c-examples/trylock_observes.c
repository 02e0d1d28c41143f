// expect: unsafe
// reason: A failing trylock tells that the other thread is in its critical section, so lock and
//   release do not commute with it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int code = pthread_mutex_trylock(&lock);
    assert(code == 0);
    return 0;
}
