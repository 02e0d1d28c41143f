/* Joining without waiting, or not for long. That a thread has ended is never certain before it was joined. */
#define _GNU_SOURCE
#include <pthread.h>

#include "model.h"
#include "timed.h"

/* A thread has not ended while it asks. */
int pthread_tryjoin_np(pthread_t thread, void **value)
{
    if (__VERIFIER_nondet_bool())
        return BUSY;
    int error;
    WITH_LIMIT(error, pthread_join(thread, value));
    return error == DEADLOCK ? BUSY : error;
}

/* The limit counts only if the thread has not ended. */
int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *limit)
{
    if (__VERIFIER_nondet_bool()) {
        int error;
        WITH_LIMIT(error, pthread_join(thread, value));
        return error;
    }
    if (!has_limits(clock) || !is_valid_time(limit))
        return INVALID;
    time_out(clock, limit);
    return TIMED_OUT;
}

int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *limit)
{
    return pthread_clockjoin_np(thread, value, CLOCK_REALTIME, limit);
}
