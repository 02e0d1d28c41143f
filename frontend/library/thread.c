/* Threads: a new one may run before its handle is stored. */
#include <pthread.h>
#include <sched.h>

#include "attributes.h"
#include "model.h"

int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument)
{
    const struct thread_attributes *wanted = (const struct thread_attributes *)attributes;
    require_attributes(wanted);
    /* A policy of its own needs a priority, which is not modelled, and permission. What is stored then is open. */
    if (wanted && wanted->scheduling == PTHREAD_EXPLICIT_SCHED && wanted->policy != SCHED_OTHER &&
        __VERIFIER_nondet_bool()) {
        *handle = (pthread_t)__mazurka_unknown_long();
        return __VERIFIER_nondet_bool() ? NOT_PERMITTED : INVALID;
    }
    /* What becomes of the attributes later does not matter. */
    _Bool detached = wanted && wanted->detached;
    /* A new thread that is created detached does not run before it is. */
    _Bool may_detach = __mazurka_is_used("pthread_attr_setdetachstate");
    if (may_detach || __mazurka_are_deadlocks_looked_for())
        __VERIFIER_atomic_begin();
    pthread_t created = __mazurka_create(start, argument);
    if (__mazurka_are_deadlocks_looked_for())
        __mazurka_begin_thread(created);
    if (detached)
        pthread_detach(created);
    if (may_detach || __mazurka_are_deadlocks_looked_for())
        __VERIFIER_atomic_end();
    *handle = created;
    return 0;
}
