// functions: pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_tryrdlock
// functions: pthread_rwlock_wrlock pthread_rwlock_trywrlock pthread_rwlock_unlock
// functions: pthread_rwlockattr_init pthread_rwlockattr_destroy
#include "check.h"

static pthread_rwlock_t lock, fixed = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlockattr_t attributes;

THREAD(read, pthread_rwlock_tryrdlock(&lock))
THREAD(write, pthread_rwlock_trywrlock(&lock))
THREAD(unlock, pthread_rwlock_unlock(&lock))

int main(void)
{
    pthread_rwlock_t garbage;
    UNDEFINED(pthread_rwlock_rdlock(&garbage));
    UNDEFINED(pthread_rwlock_unlock(&fixed));
    UNDEFINED(pthread_rwlockattr_destroy(&attributes));
    UNDEFINED(pthread_rwlock_init(&lock, &attributes));
    CHECK(pthread_rwlock_rdlock(&fixed));
    CHECK(pthread_rwlock_unlock(&fixed));
    CHECK(pthread_rwlock_destroy(&fixed));

    CHECK(pthread_rwlockattr_init(&attributes));
    CHECK(pthread_rwlock_init(&lock, &attributes));
    CHECK(pthread_rwlockattr_destroy(&attributes));
    UNDEFINED(pthread_rwlockattr_destroy(&attributes));
    UNDEFINED(pthread_rwlock_init(&lock, &attributes));
    CHECK(pthread_rwlock_rdlock(&lock));
    CHECK(pthread_rwlock_tryrdlock(&lock));
    CHECK(pthread_rwlock_trywrlock(&lock));
    CHECK(result_of(write));
    UNDEFINED(pthread_rwlock_destroy(&lock));
    UNDEFINED(pthread_rwlock_init(&lock, 0));
    CHECK(pthread_rwlock_unlock(&lock));
    CHECK(result_of(read));
    CHECK(result_of(unlock));
    CHECK(pthread_rwlock_unlock(&lock));
    UNDEFINED(pthread_rwlock_unlock(&lock));
    CHECK(pthread_rwlock_wrlock(&lock));
    CHECK(pthread_rwlock_wrlock(&lock));
    CHECK(pthread_rwlock_rdlock(&lock));
    CHECK(pthread_rwlock_tryrdlock(&lock));
    CHECK(pthread_rwlock_trywrlock(&lock));
    CHECK(result_of(read));
    CHECK(result_of(write));
    UNDEFINED(result_of(unlock));
    UNDEFINED(pthread_rwlock_destroy(&lock));
    UNDEFINED(pthread_rwlock_init(&lock, 0));
    CHECK(pthread_rwlock_unlock(&lock));
    CHECK(pthread_rwlock_trywrlock(&lock));
    CHECK(pthread_rwlock_unlock(&lock));
    CHECK(pthread_rwlock_destroy(&lock));
    UNDEFINED(pthread_rwlock_rdlock(&lock));
    UNDEFINED(pthread_rwlock_tryrdlock(&lock));
    UNDEFINED(pthread_rwlock_wrlock(&lock));
    UNDEFINED(pthread_rwlock_trywrlock(&lock));
    UNDEFINED(pthread_rwlock_unlock(&lock));
    UNDEFINED(pthread_rwlock_destroy(&lock));
    CHECK(pthread_rwlock_init(&lock, 0));
    CHECK(result_of(read));
    END;
}
