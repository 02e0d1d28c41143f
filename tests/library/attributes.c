// functions: pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate
// functions: pthread_attr_setinheritsched pthread_attr_getinheritsched pthread_attr_setschedpolicy pthread_attr_getschedpolicy
// functions: pthread_attr_setscope pthread_attr_getscope pthread_attr_setstacksize pthread_attr_getstacksize
// functions: pthread_attr_setguardsize pthread_attr_getguardsize
// functions: pthread_attr_setschedparam pthread_attr_getschedparam pthread_attr_setstack pthread_attr_getstack
// functions: pthread_barrierattr_setpshared pthread_barrierattr_getpshared pthread_rwlockattr_setpshared
// functions: pthread_rwlockattr_getpshared pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np
// functions: pthread_setconcurrency pthread_getconcurrency
#include <sched.h>

#include "check.h"

static pthread_attr_t attributes, never;
static pthread_rwlockattr_t of_rwlock;
static pthread_barrierattr_t of_barrier;
static pthread_rwlock_t rwlock;
static char stack[20000];

#define GET(name, getter)                   \
    static int name(void *object)           \
    {                                       \
        int found = -1;                     \
        int error = getter(object, &found); \
        return error ? -error : found;      \
    }

GET(detachstate, pthread_attr_getdetachstate)
GET(inheritsched, pthread_attr_getinheritsched)
GET(schedpolicy, pthread_attr_getschedpolicy)
GET(scope, pthread_attr_getscope)

GET(rwlockkind, pthread_rwlockattr_getkind_np)
GET(rwlockshared, pthread_rwlockattr_getpshared)
GET(barriershared, pthread_barrierattr_getpshared)

static int set_priority(int priority)
{
    struct sched_param parameters = {priority};
    return pthread_attr_setschedparam(&attributes, &parameters);
}

static int priority(void)
{
    struct sched_param parameters = {-7};
    int error = pthread_attr_getschedparam(&attributes, &parameters);
    return error ? -error : parameters.sched_priority;
}

/* Whether the stack starts there. */
static int stack_starts(char *start)
{
    void *address;
    size_t size;
    pthread_attr_getstack(&attributes, &address, &size);
    return address == start;
}

static long stacksize(pthread_attr_t *object)
{
    size_t found = 0;
    pthread_attr_getstacksize(object, &found);
    return (long)found;
}

static long guardsize(pthread_attr_t *object)
{
    size_t found = 0;
    pthread_attr_getguardsize(object, &found);
    return (long)found;
}

int main(void)
{
    UNDEFINED(pthread_attr_destroy(&never));
    UNDEFINED(pthread_attr_setdetachstate(&never, PTHREAD_CREATE_DETACHED));
    UNDEFINED(detachstate(&never));

    CHECK(pthread_attr_init(&attributes));
    CHECK(detachstate(&attributes));
    CHECK(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
    CHECK(pthread_attr_setdetachstate(&attributes, 2));
    CHECK(pthread_attr_setdetachstate(&attributes, -1));
    CHECK(detachstate(&attributes));
    CHECK(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE));
    CHECK(detachstate(&attributes));

    CHECK(inheritsched(&attributes));
    CHECK(pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED));
    CHECK(pthread_attr_setinheritsched(&attributes, 2));
    CHECK(inheritsched(&attributes));
    CHECK(pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED));

    CHECK(schedpolicy(&attributes));
    CHECK(pthread_attr_setschedpolicy(&attributes, SCHED_FIFO));
    CHECK(pthread_attr_setschedpolicy(&attributes, 3));
    CHECK(pthread_attr_setschedpolicy(&attributes, -1));
    CHECK(schedpolicy(&attributes));
    CHECK(set_priority(0));
    CHECK(set_priority(1));
    CHECK(set_priority(99));
    CHECK(set_priority(100));
    CHECK(priority());
    CHECK(pthread_attr_setschedpolicy(&attributes, SCHED_RR));
    CHECK(set_priority(50));
    CHECK(priority());
    CHECK(pthread_attr_setschedpolicy(&attributes, SCHED_OTHER));

    CHECK(scope(&attributes));
    CHECK(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS));
    CHECK(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM));
    CHECK(pthread_attr_setscope(&attributes, 2));
    CHECK(scope(&attributes));

    UNKNOWN(stacksize(&attributes));
    CHECK(pthread_attr_setstacksize(&attributes, 0));
    CHECK(pthread_attr_setstacksize(&attributes, 16383));
    CHECK(pthread_attr_setstacksize(&attributes, 16384));
    CHECK(stacksize(&attributes));
    CHECK(pthread_attr_setstacksize(&attributes, 1 << 20));
    CHECK(stacksize(&attributes));

    UNKNOWN(stack_starts(stack));
    CHECK(pthread_attr_setstack(&attributes, stack, 16383));
    UNKNOWN(stack_starts(stack));
    CHECK(pthread_attr_setstack(&attributes, stack, 16384));
    CHECK(stack_starts(stack));
    CHECK(stacksize(&attributes));
    CHECK(pthread_attr_setstacksize(&attributes, 20000));
    CHECK(stack_starts(stack + 16384 - 20000));

    UNKNOWN(guardsize(&attributes));
    CHECK(pthread_attr_setguardsize(&attributes, 0));
    CHECK(guardsize(&attributes));
    CHECK(pthread_attr_setguardsize(&attributes, 8192));
    CHECK(guardsize(&attributes));

    CHECK(pthread_attr_destroy(&attributes));
    UNDEFINED(pthread_attr_setguardsize(&attributes, 0));
    UNDEFINED(pthread_attr_destroy(&attributes));
    UNDEFINED(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE));
    UNDEFINED(pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED));
    UNDEFINED(pthread_attr_setschedpolicy(&attributes, SCHED_OTHER));
    UNDEFINED(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM));
    UNDEFINED(pthread_attr_setstacksize(&attributes, 1 << 20));
    UNDEFINED(set_priority(0));
    UNDEFINED(priority());
    UNDEFINED(pthread_attr_setstack(&attributes, stack, 16384));
    UNDEFINED(stack_starts(stack));
    UNDEFINED(detachstate(&attributes));
    UNDEFINED(inheritsched(&attributes));
    UNDEFINED(schedpolicy(&attributes));
    UNDEFINED(scope(&attributes));
    UNDEFINED(stacksize(&attributes));
    CHECK(pthread_attr_init(&attributes));
    CHECK(detachstate(&attributes));

    CHECK(set_priority(1));
    CHECK(priority());

    UNDEFINED(pthread_rwlockattr_setpshared(&of_rwlock, PTHREAD_PROCESS_SHARED));
    UNDEFINED(rwlockshared(&of_rwlock));
    UNDEFINED(pthread_rwlockattr_setkind_np(&of_rwlock, 0));
    UNDEFINED(rwlockkind(&of_rwlock));
    CHECK(pthread_rwlockattr_init(&of_rwlock));
    CHECK(rwlockshared(&of_rwlock));
    CHECK(rwlockkind(&of_rwlock));
    CHECK(pthread_rwlockattr_setkind_np(&of_rwlock, 3));
    CHECK(pthread_rwlockattr_setkind_np(&of_rwlock, -1));
    CHECK(pthread_rwlockattr_setkind_np(&of_rwlock, PTHREAD_RWLOCK_PREFER_READER_NP));
    CHECK(pthread_rwlockattr_setpshared(&of_rwlock, PTHREAD_PROCESS_SHARED));
    CHECK(pthread_rwlockattr_setpshared(&of_rwlock, 2));
    CHECK(rwlockshared(&of_rwlock));
    CHECK(rwlockkind(&of_rwlock));
    CHECK(pthread_rwlockattr_setkind_np(&of_rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NP));
    CHECK(rwlockkind(&of_rwlock));
    CHECK(pthread_rwlockattr_setpshared(&of_rwlock, PTHREAD_PROCESS_PRIVATE));
    CHECK(rwlockshared(&of_rwlock));
    CHECK(pthread_rwlock_init(&rwlock, &of_rwlock));
    CHECK(pthread_rwlockattr_destroy(&of_rwlock));
    UNDEFINED(rwlockkind(&of_rwlock));

    UNDEFINED(pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED));
    UNDEFINED(barriershared(&of_barrier));
    CHECK(pthread_barrierattr_init(&of_barrier));
    CHECK(barriershared(&of_barrier));
    CHECK(pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED));
    CHECK(pthread_barrierattr_setpshared(&of_barrier, -1));
    CHECK(barriershared(&of_barrier));
    CHECK(pthread_barrierattr_destroy(&of_barrier));

    CHECK(pthread_getconcurrency());
    CHECK(pthread_setconcurrency(-1));
    CHECK(pthread_setconcurrency(3));
    CHECK(pthread_getconcurrency());
    CHECK(pthread_setconcurrency(0));
    CHECK(pthread_getconcurrency());
    END;
}
