/* Mutexes: everything but lock, trylock and unlock, which the checker knows itself. */
#define _GNU_SOURCE
#include <pthread.h>

#include "model.h"
#include "timed.h"

/* The layout that the checker and glibc's static initialisers share; it depends on the width of addresses. */
struct mutex {
    int lock;
    unsigned count;
    int owner;
#if __SIZEOF_POINTER__ == 8
    unsigned users;
    int kind;
#else
    int kind;
    unsigned users;
#endif
};

enum { ERROR_CHECK = 2, LAST_KIND = 3, KIND_MASK = 0x7f };

/* The four bytes of an attribute object are 0 if it is not initialised, and else 1 more than the kind. */
static int kind_of(const pthread_mutexattr_t *attributes)
{
    int content = *(const int *)attributes;
    __mazurka_undefined_unless(content > 0 && content <= LAST_KIND + 1, "use of mutex attributes that are not initialised");
    return content - 1;
}

int pthread_mutex_init(pthread_mutex_t *restrict object, const pthread_mutexattr_t *restrict attributes)
{
    struct mutex *mutex = (struct mutex *)object;
    int kind = attributes ? kind_of(attributes) : 0;
    __VERIFIER_atomic_begin();
    UNDEFINED_IF_LOCK_IN_USE(mutex, mutex->owner != 0);
    REACH_END(object);
    mutex->count = 0;
    mutex->owner = 0;
    mutex->kind = kind;
    __VERIFIER_atomic_end();
    return 0;
}

/* Leaves a kind that no operation accepts, so that later use is undefined. */
int pthread_mutex_destroy(pthread_mutex_t *object)
{
    struct mutex *mutex = (struct mutex *)object;
    int busy;
    USE(&mutex->owner);
    __VERIFIER_atomic_begin();
    __mazurka_undefined_unless((mutex->kind & KIND_MASK) <= LAST_KIND, "use of a mutex that is not initialised");
    busy = mutex->owner != 0;
    if (!busy)
        mutex->kind = -1;
    __VERIFIER_atomic_end();
    return busy ? BUSY : 0;
}

/* The limit counts only if the mutex cannot be taken at once; an invalid one may be noticed all the same. */
int pthread_mutex_clocklock(pthread_mutex_t *restrict object, clockid_t clock, const struct timespec *restrict limit)
{
    const struct mutex *mutex = (const struct mutex *)object;
    if (!has_limits(clock))
        return INVALID;
    if (!is_valid_time(limit) && __VERIFIER_nondet_bool())
        return INVALID;
    int error = pthread_mutex_trylock(object);
    if (error != BUSY)
        return error;
    if ((mutex->kind & KIND_MASK) == ERROR_CHECK && mutex->owner == (int)__mazurka_thread())
        return DEADLOCK;
    if (!is_valid_time(limit))
        return INVALID;
    if (times_out(clock, limit))
        return TIMED_OUT;
    return pthread_mutex_lock(object);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict limit)
{
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, limit);
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    int *kind = (int *)attributes;
    UNDEFINED_IF_IN_USE(kind, *kind != 0);
    *kind = 1;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)kind_of(attributes);
    *(int *)attributes = 0;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    (void)kind_of(attributes);
    if (kind < 0 || kind > LAST_KIND)
        return INVALID;
    *(int *)attributes = kind + 1;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind)
{
    *kind = kind_of(attributes);
    return 0;
}
