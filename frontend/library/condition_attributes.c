/* Attributes of condition variables. A condition variable looks at their clock; there is one process only. */
#include "condition_attributes.h"

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    int *content = (int *)attributes;
    UNDEFINED_IF_IN_USE(content, are_condition_attributes(*content));
    *content = ATTRIBUTES;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)content_of(attributes);
    *(int *)attributes = NO_ATTRIBUTES;
    return 0;
}

/* The clocks that glibc allows. POSIX excludes those of processor time. */
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
    int content = content_of(attributes);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return INVALID;
    *(int *)attributes = clock == CLOCK_MONOTONIC ? content | IS_MONOTONIC : content & ~IS_MONOTONIC;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes, clockid_t *restrict clock)
{
    *clock = clock_of(attributes);
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared)
{
    int content = content_of(attributes);
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return INVALID;
    *(int *)attributes = shared == PTHREAD_PROCESS_SHARED ? content | IS_SHARED : content & ~IS_SHARED;
    return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attributes, int *restrict shared)
{
    *shared = content_of(attributes) & IS_SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}
