/* Condition variables. Spurious wake-ups are allowed at any time, so a signal carries no information and a wait is:
   release the mutex, take it again. */
#include <pthread.h>

#include "model.h"
#include "timed.h"

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes)
{
    (void)condition;
    (void)attributes;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    (void)condition;
    int error = pthread_mutex_unlock(mutex);
    if (error)
        return error;
    return pthread_mutex_lock(mutex);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict limit)
{
    if (!is_valid_time(limit))
        return INVALID;
    int error = pthread_cond_wait(condition, mutex);
    if (error)
        return error;
    return __VERIFIER_nondet_bool() ? TIMED_OUT : 0;
}
