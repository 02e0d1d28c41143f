/* Read-write locks: any number of readers or one writer, without preference. */
#include <pthread.h>

#include "attributes.h"
#include "model.h"

struct lock {
    unsigned readers;
    unsigned writer; /* number of the thread that holds it for writing, 0, or DESTROYED */
    /* Kept up where it matters who reads: the sets of threads that hold it once or twice, and twice, for reading. */
    unsigned once;
    unsigned twice;
};

/* Operations on a read-write lock, with names by which their accesses are known to be such. */
void __mazurka_rwlock_begin_reading(struct lock *);
void __mazurka_rwlock_end_reading(struct lock *);

static const unsigned DESTROYED = UINT32_MAX;

/* Both words say whether the lock is in use; while it is, the first one names it. */
#define USE_OF_EITHER(lock) \
    USE(&(lock)->readers);  \
    USE(&(lock)->writer)

/* The lock is taken for reading. */
void __mazurka_rwlock_begin_reading(struct lock *lock)
{
    lock->readers++;
    if (ARE_THREADS_KNOWN) {
        unsigned own = OWN_SET;
        if (lock->twice & own)
            __mazurka_unsupported("a read-write lock that a thread takes for reading three times");
        lock->twice |= lock->once & own;
        lock->once |= own;
    }
    (void)HOLD(lock);
}

void __mazurka_rwlock_end_reading(struct lock *lock)
{
    lock->readers--;
    if (ARE_THREADS_KNOWN) {
        unsigned own = OWN_SET;
        __mazurka_lock_misuse_unless(lock->once & own, "unlock of a read-write lock that the thread does not hold");
        lock->once &= ~own | lock->twice;
        lock->twice &= ~own;
    }
}

static void require_not_destroyed(const pthread_rwlock_t *object)
{
    REQUIRE_END(object);
    __mazurka_lock_misuse_unless(((const struct lock *)object)->writer != DESTROYED, "use of a destroyed read-write lock");
}

int pthread_rwlock_init(pthread_rwlock_t *restrict object, const pthread_rwlockattr_t *restrict attributes)
{
    struct lock *lock = (struct lock *)object;
    require_attributes(attributes);
    __VERIFIER_atomic_begin();
    MISUSE_IF_IN_USE(lock, lock->readers != 0 || (lock->writer != 0 && lock->writer != DESTROYED));
    REACH_END(object);
    lock->readers = 0;
    lock->writer = 0;
    if (ARE_THREADS_KNOWN) {
        lock->once = 0;
        lock->twice = 0;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    USE_OF_EITHER(lock);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(lock->readers == 0 && lock->writer == 0, "destruction of a read-write lock that is held or not initialised");
    lock->writer = DESTROYED;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    unsigned self = __mazurka_thread();
    int result = 0;
    USE_OF_EITHER(lock);
    MAY_WAIT_FOR_GOOD(lock->writer != 0 && lock->writer != self && lock->writer != DESTROYED, __mazurka_set_of(lock->writer))
    __VERIFIER_atomic_begin();
    require_not_destroyed(object);
    if (lock->writer == self) {
        result = DEADLOCK;
    } else {
        WAIT_UNTIL(lock->writer == 0);
        __mazurka_rwlock_begin_reading(lock);
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    int result = BUSY;
    USE_OF_EITHER(lock);
    __VERIFIER_atomic_begin();
    require_not_destroyed(object);
    if (lock->writer == 0 && !COMES_ABOUT) {
        __mazurka_rwlock_begin_reading(lock);
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    unsigned self = __mazurka_thread();
    int result = 0;
    USE_OF_EITHER(lock);
    MAY_WAIT_FOR_GOOD((lock->writer != 0 || lock->readers != 0) && lock->writer != self && lock->writer != DESTROYED,
                      lock->writer != 0 ? __mazurka_set_of(lock->writer) : __mazurka_one_of(lock->once))
    __VERIFIER_atomic_begin();
    require_not_destroyed(object);
    if (lock->writer == self) {
        result = DEADLOCK;
    } else {
        WAIT_UNTIL(lock->writer == 0 && lock->readers == 0);
        lock->writer = self;
        (void)HOLD(lock);
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    unsigned self = __mazurka_thread();
    int result = BUSY;
    USE_OF_EITHER(lock);
    __VERIFIER_atomic_begin();
    require_not_destroyed(object);
    if (lock->writer == 0 && lock->readers == 0 && !COMES_ABOUT) {
        lock->writer = self;
        (void)HOLD(lock);
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_unlock(pthread_rwlock_t *object)
{
    struct lock *lock = (struct lock *)object;
    unsigned self = __mazurka_thread();
    USE_OF_EITHER(lock);
    __VERIFIER_atomic_begin();
    LET_GO;
    if (lock->writer == self) {
        lock->writer = 0;
    } else {
        __mazurka_lock_misuse_unless(lock->writer == 0 && lock->readers != 0, "unlock of a free read-write lock");
        __mazurka_rwlock_end_reading(lock);
    }
    if (__mazurka_are_watched() && lock->readers == 0)
        RELEASE(lock);
    __VERIFIER_atomic_end();
    return 0;
}
