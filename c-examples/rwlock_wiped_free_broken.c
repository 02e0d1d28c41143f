// expect: unsafe
// reason: The second read-write lock is free when it is wiped, and so it is afterwards.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t first = PTHREAD_RWLOCK_INITIALIZER, second = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&first);
    pthread_rwlock_wrlock(&second);
    pthread_rwlock_unlock(&second);
    memset(&second, 0, sizeof second);
    assert(pthread_rwlock_trywrlock(&second) == EBUSY);
}
