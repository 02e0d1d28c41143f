/* Read-write locks with limits of waiting. The limit counts only if the lock cannot be taken at once; an invalid one may be noticed all
   the same. */
#define _GNU_SOURCE
#include <pthread.h>

#include "model.h"
#include "timed.h"

/* The layout of read-write locks. */
struct lock {
    unsigned readers;
    unsigned writer;
};

/* What a call returns that tries to take a lock and waits for it otherwise. */
#define TIMED(take)                                                                                                   \
    int pthread_rwlock_clock##take(pthread_rwlock_t *restrict object, clockid_t clock, const struct timespec *restrict limit) \
    {                                                                                                                 \
        const struct lock *lock = (const struct lock *)object;                                                        \
        if (!has_limits(clock) || (!is_valid_time(limit) && __VERIFIER_nondet_bool()))                                \
            return INVALID;                                                                                           \
        int error = pthread_rwlock_try##take(object);                                                                 \
        if (error != BUSY)                                                                                            \
            return error;                                                                                             \
        if (lock->writer == __mazurka_thread())                                                                       \
            return DEADLOCK;                                                                                          \
        if (!is_valid_time(limit))                                                                                    \
            return INVALID;                                                                                           \
        if (times_out(clock, limit))                                                                                  \
            return TIMED_OUT;                                                                                         \
        WITH_LIMIT(error, pthread_rwlock_##take(object));                                                             \
        return error;                                                                                                 \
    }                                                                                                                 \
                                                                                                                      \
    int pthread_rwlock_timed##take(pthread_rwlock_t *restrict lock, const struct timespec *restrict limit)            \
    {                                                                                                                 \
        return pthread_rwlock_clock##take(lock, CLOCK_REALTIME, limit);                                               \
    }

TIMED(rdlock)
TIMED(wrlock)
