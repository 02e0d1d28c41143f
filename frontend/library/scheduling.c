/* How threads and processes are scheduled. No run depends on it, and whether Linux allows a change is not known. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "error_number.h"
#include "model.h"
#include "priority.h"

static _Bool is_policy(int policy)
{
    return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_BATCH || policy == SCHED_IDLE ||
           policy == SCHED_DEADLINE;
}

int sched_get_priority_min(int policy)
{
    return is_policy(policy) ? least_priority(policy) : fail(INVALID);
}

int sched_get_priority_max(int policy)
{
    return is_policy(policy) ? greatest_priority(policy) : fail(INVALID);
}

int sched_getscheduler(pid_t process)
{
    (void)process;
    return succeed_or_fail();
}

int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
    (void)process;
    (void)policy;
    (void)*(const volatile int *)&parameters->sched_priority;
    return succeed_or_fail();
}

int sched_getparam(pid_t process, struct sched_param *parameters)
{
    (void)process;
    parameters->sched_priority = __mazurka_unknown_int();
    return succeed_or_fail();
}

int sched_setparam(pid_t process, const struct sched_param *parameters)
{
    return sched_setscheduler(process, SCHED_OTHER, parameters);
}

int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict parameters)
{
    (void)thread;
    *policy = __mazurka_unknown_int();
    parameters->sched_priority = __mazurka_unknown_int();
    return __mazurka_unknown_int();
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
    (void)thread;
    (void)policy;
    (void)*(const volatile int *)&parameters->sched_priority;
    return __mazurka_unknown_int();
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    (void)thread;
    (void)priority;
    return __mazurka_unknown_int();
}
