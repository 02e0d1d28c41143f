// functions: pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate
// functions: pthread_attr_setinheritsched pthread_attr_getinheritsched pthread_attr_setschedpolicy pthread_attr_getschedpolicy
// functions: pthread_attr_setscope pthread_attr_getscope pthread_attr_setstacksize pthread_attr_getstacksize
// functions: pthread_attr_setguardsize pthread_attr_getguardsize
// functions: pthread_setconcurrency pthread_getconcurrency
#include <sched.h>

#include "check.h"

static pthread_attr_t attributes, never;

#define GET(name, getter)                   \
    static int name(pthread_attr_t *object) \
    {                                       \
        int found = -1;                     \
        int error = getter(object, &found); \
        return error ? -error : found;      \
    }

GET(detachstate, pthread_attr_getdetachstate)
GET(inheritsched, pthread_attr_getinheritsched)
GET(schedpolicy, pthread_attr_getschedpolicy)
GET(scope, pthread_attr_getscope)

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
    CHECK(pthread_attr_setschedpolicy(&attributes, SCHED_RR));
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
    UNDEFINED(detachstate(&attributes));
    UNDEFINED(inheritsched(&attributes));
    UNDEFINED(schedpolicy(&attributes));
    UNDEFINED(scope(&attributes));
    UNDEFINED(stacksize(&attributes));
    CHECK(pthread_attr_init(&attributes));
    CHECK(detachstate(&attributes));

    CHECK(pthread_getconcurrency());
    CHECK(pthread_setconcurrency(-1));
    CHECK(pthread_setconcurrency(3));
    CHECK(pthread_getconcurrency());
    CHECK(pthread_setconcurrency(0));
    CHECK(pthread_getconcurrency());
    END;
}
