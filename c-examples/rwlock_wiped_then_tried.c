// expect: unknown
// reason: The thread holds two read-write locks, wipes the second one and finds it free afterwards. Wiping it is undefined, so
//   what comes behind is no violation.
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
    memset(&second, 0, sizeof second);
    assert(pthread_rwlock_trywrlock(&second) == EBUSY);
}
