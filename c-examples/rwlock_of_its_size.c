// expect: safe
// reason: The zeroed memory has the size of a read-write lock, and two readers may hold it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_rwlock_t *lock = calloc(1, sizeof *lock);
    if (!lock)
        return 0;
    assert(pthread_rwlock_rdlock(lock) == 0);
    assert(pthread_rwlock_tryrdlock(lock) == 0);
    pthread_rwlock_unlock(lock);
    pthread_rwlock_unlock(lock);
    free(lock);
}
