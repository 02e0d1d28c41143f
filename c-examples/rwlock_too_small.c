// expect: unsafe
// reason: Zeroed memory of the size of a pointer is no read-write lock, although zero bytes are what its initialiser writes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_rwlock_t *lock = calloc(1, sizeof lock);
    if (!lock)
        return 0;
    assert(pthread_rwlock_rdlock(lock) == 0); // out of bounds
    pthread_rwlock_unlock(lock);
    free(lock);
}
