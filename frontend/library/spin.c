/* Spin locks. Waiting is blocking: a thread that spins makes no progress. Their four bytes are 0 if the lock is not
   initialised, 1 if it is free, and else 1 more than the number of its holder. */
#include <pthread.h>

#include "model.h"

enum { NO_LOCK = 0, FREE = 1 };

static int held_by_self(void)
{
    return FREE + (int)__mazurka_thread();
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    __VERIFIER_atomic_begin();
    MISUSE_IF_IN_USE(lock, *lock > FREE);
    *lock = FREE;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    USE(lock);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*lock == FREE, "destruction of a spin lock that is held or not initialised");
    *lock = NO_LOCK;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    USE(lock);
    MAY_WAIT_FOR_GOOD(*lock > FREE, __mazurka_set_of((unsigned)(*lock - FREE)))
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*lock > NO_LOCK, "use of a spin lock that is not initialised");
    __mazurka_lock_misuse_unless(*lock != held_by_self(), "a spin lock is taken by the thread that holds it");
    WAIT_UNTIL(*lock == FREE);
    *lock = held_by_self();
    (void)HOLD(lock);
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    int result = BUSY;
    USE(lock);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*lock > NO_LOCK, "use of a spin lock that is not initialised");
    if (*lock == FREE && !COMES_ABOUT) {
        *lock = held_by_self();
        (void)HOLD(lock);
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    USE(lock);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*lock == held_by_self(), "unlock of a spin lock that the thread does not hold");
    LET_GO;
    *lock = FREE;
    RELEASE(lock);
    __VERIFIER_atomic_end();
    return 0;
}
