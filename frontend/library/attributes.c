/* Attribute objects. Of what they say, a new thread looks at its detach state and at its scheduling policy; the rest is checked and
   remembered. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "attributes.h"
#include "priority.h"

/* The least stack that glibc allows on x86-64. */
enum { LEAST_STACK = 16384 };

static struct thread_attributes *valid(const pthread_attr_t *attributes)
{
    require_attributes(attributes);
    return (struct thread_attributes *)attributes;
}

int pthread_attr_init(pthread_attr_t *attributes)
{
    struct thread_attributes *thread = (struct thread_attributes *)attributes;
    UNDEFINED_IF_IN_USE(thread, are_attributes(thread->status));
    REACH_END(attributes);
    thread->status = ATTRIBUTES;
    thread->detached = PTHREAD_CREATE_JOINABLE;
    thread->scheduling = PTHREAD_INHERIT_SCHED;
    thread->policy = SCHED_OTHER;
    thread->priority = 0;
    thread->has_guard = 0;
    thread->stack = 0;
    thread->stack_end = NULL;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    valid(attributes)->status = NO_ATTRIBUTES;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    struct thread_attributes *thread = valid(attributes);
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
        return INVALID;
    thread->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state)
{
    *state = valid(attributes)->detached;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int scheduling)
{
    struct thread_attributes *thread = valid(attributes);
    if (scheduling != PTHREAD_INHERIT_SCHED && scheduling != PTHREAD_EXPLICIT_SCHED)
        return INVALID;
    thread->scheduling = scheduling;
    return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attributes, int *restrict scheduling)
{
    *scheduling = valid(attributes)->scheduling;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy)
{
    struct thread_attributes *thread = valid(attributes);
    if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
        return INVALID;
    thread->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes, int *restrict policy)
{
    *policy = valid(attributes)->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attributes, const struct sched_param *restrict parameters)
{
    struct thread_attributes *thread = valid(attributes);
    int priority = parameters->sched_priority;
    if (priority < least_priority(thread->policy) || priority > greatest_priority(thread->policy))
        return INVALID;
    thread->priority = priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes, struct sched_param *restrict parameters)
{
    parameters->sched_priority = valid(attributes)->priority;
    return 0;
}

/* Linux has no threads that compete within their process only. */
int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
    (void)valid(attributes);
    if (scope == PTHREAD_SCOPE_PROCESS)
        return NOT_SUPPORTED;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : INVALID;
}

int pthread_attr_getscope(const pthread_attr_t *restrict attributes, int *restrict scope)
{
    (void)valid(attributes);
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    struct thread_attributes *thread = valid(attributes);
    if (size < LEAST_STACK)
        return INVALID;
    thread->stack = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict size)
{
    const struct thread_attributes *thread = valid(attributes);
    *size = thread->stack != 0 ? thread->stack : (size_t)__mazurka_unknown_long();
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *address, size_t size)
{
    struct thread_attributes *thread = valid(attributes);
    if (size < LEAST_STACK)
        return INVALID;
    thread->stack = size;
    thread->stack_end = (char *)address + size;
    return 0;
}

/* The address of a stack that the system chooses is not known. */
int pthread_attr_getstack(const pthread_attr_t *restrict attributes, void **restrict address, size_t *restrict size)
{
    const struct thread_attributes *thread = valid(attributes);
    *size = thread->stack != 0 ? thread->stack : (size_t)__mazurka_unknown_long();
    *address = thread->stack_end ? thread->stack_end - thread->stack : (void *)__mazurka_unknown_long();
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size)
{
    struct thread_attributes *thread = valid(attributes);
    thread->has_guard = 1;
    thread->guard = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *restrict attributes, size_t *restrict size)
{
    const struct thread_attributes *thread = valid(attributes);
    *size = thread->has_guard ? thread->guard : (size_t)__mazurka_unknown_long();
    return 0;
}

static int level;

int pthread_setconcurrency(int new_level)
{
    if (new_level < 0)
        return INVALID;
    level = new_level;
    return 0;
}

int pthread_getconcurrency(void)
{
    return COMES_ABOUT ? __VERIFIER_nondet_int() & INT32_MAX : level;
}

/* Attributes of synchronisation objects that say whether other processes use these. */
#define ATTRIBUTES_OF(kind)                                                                            \
    int pthread_##kind##_init(pthread_##kind##_t *attributes)                                          \
    {                                                                                                  \
        int *status = (int *)attributes;                                                               \
        UNDEFINED_IF_IN_USE(status, are_attributes(*status));                                          \
        REACH_END(attributes);                                                                         \
        *status = ATTRIBUTES;                                                                          \
        return 0;                                                                                      \
    }                                                                                                  \
                                                                                                       \
    int pthread_##kind##_destroy(pthread_##kind##_t *attributes)                                       \
    {                                                                                                  \
        require_attributes(attributes);                                                                \
        *(int *)attributes = NO_ATTRIBUTES;                                                            \
        return 0;                                                                                      \
    }                                                                                                  \
                                                                                                       \
    int pthread_##kind##_setpshared(pthread_##kind##_t *attributes, int shared)                        \
    {                                                                                                  \
        require_attributes(attributes);                                                                \
        if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)                     \
            return INVALID;                                                                            \
        int rest = *(const int *)attributes & ~OF_PROCESSES;                                           \
        *(int *)attributes = shared == PTHREAD_PROCESS_SHARED ? rest | OF_PROCESSES : rest;            \
        return 0;                                                                                      \
    }                                                                                                  \
                                                                                                       \
    int pthread_##kind##_getpshared(const pthread_##kind##_t *restrict attributes, int *restrict shared) \
    {                                                                                                  \
        require_attributes(attributes);                                                                \
        *shared = *(const int *)attributes & OF_PROCESSES ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE; \
        return 0;                                                                                      \
    }

ATTRIBUTES_OF(barrierattr)
ATTRIBUTES_OF(rwlockattr)

/* glibc lets readers go first whether or not writers are preferred, unless readers must not lock twice: then limits of waiting may be over
   though no writer has the lock. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
    require_attributes(attributes);
    if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        return INVALID;
    if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        __mazurka_unsupported("read-write lock that lets writers go first");
    *(int *)attributes = (*(const int *)attributes & ~PREFERENCES) | kind * PREFERENCE;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind)
{
    require_attributes(attributes);
    *kind = (*(const int *)attributes & PREFERENCES) / PREFERENCE;
    return 0;
}
