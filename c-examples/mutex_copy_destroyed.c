// expect: unknown
// reason: The copy of a mutex that is held is destroyed, and a copy is no mutex.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static struct account {
    pthread_mutex_t mutex;
    int balance;
} own = {PTHREAD_MUTEX_INITIALIZER, 5}, copy;

int main(void) {
    pthread_mutex_lock(&own.mutex);
    copy = own;
    pthread_mutex_unlock(&own.mutex);
    (void)pthread_mutex_destroy(&copy.mutex);
    assert(copy.balance == 5);
    return 0;
}
