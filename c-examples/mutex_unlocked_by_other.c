// expect: unknown
// reason: The thread unlocks a mutex that main holds, which POSIX leaves undefined for mutexes of the default kind.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *unused) {
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, unlock, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_trylock(&lock) == 0);
    return 0;
}
