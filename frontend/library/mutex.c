/* Mutexes: everything but lock, trylock and unlock, which the checker knows itself. */
#define _GNU_SOURCE
#include <pthread.h>

#include "model.h"
#include "mutex_kind.h"
#include "mutex_layout.h"
#include "timed.h"

/* The four bytes of an attribute object are 0 if it is not initialised, and else 1 more than this. */
static int content_of(const pthread_mutexattr_t *attributes)
{
    int content = *(const int *)attributes - 1;
    int kind = content & ~(MADE_BY_C11 | TAKES_LIMITS | SHARED | INHERITS_PRIORITY);
    __mazurka_undefined_unless(kind >= 0 && kind <= LAST_KIND, "use of mutex attributes that are not initialised");
    return content;
}

static int kind_of(const pthread_mutexattr_t *attributes)
{
    return content_of(attributes) & ~(SHARED | INHERITS_PRIORITY);
}

/* Sets some bits of what the content was. */
static int change(pthread_mutexattr_t *attributes, int content, int bits, int value)
{
    *(int *)attributes = ((content & ~bits) | value) + 1;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *restrict object, const pthread_mutexattr_t *restrict attributes)
{
    struct mutex *mutex = (struct mutex *)object;
    int kind = attributes ? kind_of(attributes) : 0;
    __VERIFIER_atomic_begin();
    MISUSE_IF_IN_USE(mutex, mutex->owner != 0);
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
    __mazurka_lock_misuse_unless((mutex->kind & KIND_MASK) <= LAST_KIND, "use of a mutex that is not initialised");
    busy = mutex->owner != 0;
    if (__mazurka_are_locks_verified() || __mazurka_are_races_looked_for())
        __mazurka_lock_misuse_unless(!busy, "destruction of a mutex that is held");
    if (!busy)
        mutex->kind = -1;
    __VERIFIER_atomic_end();
    return busy ? BUSY : 0;
}

/* For the functions of C11, which have no static initialiser. */
void __mazurka_require_mtx(const pthread_mutex_t *, _Bool timed);

void __mazurka_require_mtx(const pthread_mutex_t *object, _Bool timed)
{
    int kind = ((const struct mutex *)object)->kind;
    __mazurka_lock_misuse_unless((kind & ~(KIND_MASK | TAKES_LIMITS)) == MADE_BY_C11, "use of a mutex that mtx_init has not made");
    if (timed)
        __mazurka_lock_misuse_unless(kind & TAKES_LIMITS, "limit of waiting for a mutex that is not mtx_timed");
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
    _Bool is_holder = mutex->owner == (int)__mazurka_thread();
    if (is_holder && (mutex->kind & KIND_MASK) == ERROR_CHECK)
        return DEADLOCK;
    if (!is_valid_time(limit))
        return INVALID;
    if (is_holder) {
        time_out(clock, limit);
        return TIMED_OUT;
    }
    if (times_out(clock, limit))
        return TIMED_OUT;
    WITH_LIMIT(error, pthread_mutex_lock(object));
    return error;
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
    (void)content_of(attributes);
    *(int *)attributes = 0;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    int content = content_of(attributes);
    if (kind < 0 || kind > LAST_KIND)
        return INVALID;
    return change(attributes, content, KIND_MASK, kind);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind)
{
    *kind = kind_of(attributes);
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
    int content = content_of(attributes);
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return INVALID;
    return change(attributes, content, SHARED, shared == PTHREAD_PROCESS_SHARED ? SHARED : 0);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attributes, int *restrict shared)
{
    *shared = content_of(attributes) & SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}

/* A lock of a mutex with a priority ceiling fails for threads of higher priority. */
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
    int content = content_of(attributes);
    if (protocol == PTHREAD_PRIO_PROTECT)
        __mazurka_unsupported("mutex with a priority ceiling");
    if (protocol != PTHREAD_PRIO_NONE && protocol != PTHREAD_PRIO_INHERIT)
        return INVALID;
    return change(attributes, content, INHERITS_PRIORITY, protocol == PTHREAD_PRIO_INHERIT ? INHERITS_PRIORITY : 0);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attributes, int *restrict protocol)
{
    *protocol = content_of(attributes) & INHERITS_PRIORITY ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE;
    return 0;
}

/* A lock of a robust mutex succeeds when the thread that held it has ended. */
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robustness)
{
    (void)content_of(attributes);
    if (robustness == PTHREAD_MUTEX_ROBUST)
        __mazurka_unsupported("robust mutex");
    return robustness == PTHREAD_MUTEX_STALLED ? 0 : INVALID;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attributes, int *restrict robustness)
{
    (void)content_of(attributes);
    *robustness = PTHREAD_MUTEX_STALLED;
    return 0;
}
