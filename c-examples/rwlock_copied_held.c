// expect: unknown
// reason: The thread locks a copy of a read-write lock that was held when it was copied.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, copy;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    copy = lock;
    assert(pthread_rwlock_tryrdlock(&copy) == 0);
    return 0;
}
