// expect: unknown
// reason: The copy is made while a reader holds the lock. Using it is undefined, so it tells nothing that it looks held.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, copy;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    copy = lock;
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&copy) == 0);
}
