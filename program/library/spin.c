/* Spin locks. Waiting is blocking: a thread that spins makes no progress. */
#include <pthread.h>

#include "model.h"

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    __VERIFIER_atomic_begin();
    WAIT_UNTIL(*lock == 0);
    *lock = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    int result = BUSY;
    __VERIFIER_atomic_begin();
    if (*lock == 0) {
        *lock = 1;
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    *lock = 0;
    return 0;
}
