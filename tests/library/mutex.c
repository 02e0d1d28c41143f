// functions: pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock
// functions: pthread_mutex_unlock pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype
// functions: pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_mutexattr_setprotocol
// functions: pthread_mutexattr_getprotocol pthread_mutexattr_setrobust pthread_mutexattr_getrobust
#include <time.h>

#include "check.h"

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, made;
static pthread_mutexattr_t attributes;
static struct timespec past;

THREAD(try_normal, pthread_mutex_trylock(&normal))
THREAD(try_made, pthread_mutex_trylock(&made))
THREAD(wait_made, pthread_mutex_timedlock(&made, &past))
THREAD(unlock_made, pthread_mutex_unlock(&made))

#define GET(name, getter)                        \
    static int name(void)                        \
    {                                            \
        int found = -1;                          \
        int error = getter(&attributes, &found); \
        return error ? -error : found;           \
    }

GET(type, pthread_mutexattr_gettype)
GET(shared, pthread_mutexattr_getpshared)
GET(protocol, pthread_mutexattr_getprotocol)
GET(robustness, pthread_mutexattr_getrobust)

int main(void)
{
    struct timespec invalid = {0, -1};
    pthread_mutex_t garbage;
    UNDEFINED(pthread_mutex_lock(&garbage));
    UNDEFINED(pthread_mutexattr_destroy(&attributes));
    UNDEFINED(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL));
    UNDEFINED(type());
    UNDEFINED(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    UNDEFINED(shared());
    UNDEFINED(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
    UNDEFINED(protocol());
    UNDEFINED(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED));
    UNDEFINED(robustness());
    UNDEFINED(pthread_mutex_init(&made, &attributes));

    CHECK(pthread_mutex_lock(&normal));
    CHECK(pthread_mutex_trylock(&normal));
    CHECK(result_of(try_normal));
    CHECK(pthread_mutex_timedlock(&normal, &past));
    CHECK(pthread_mutex_timedlock(&normal, &invalid));
    NEVER_RETURNS(pthread_mutex_lock(&normal));
    CHECK(pthread_mutex_destroy(&normal));
    UNDEFINED(pthread_mutex_init(&normal, 0));
    CHECK(pthread_mutex_unlock(&normal));
    CHECK(pthread_mutex_timedlock(&normal, &past));
    CHECK(pthread_mutex_unlock(&normal));
    ONE_OF(pthread_mutex_timedlock(&normal, &invalid), value == 0 || value == EINVAL);
    pthread_mutex_trylock(&normal); /* It is held in both cases now. */
    CHECK(pthread_mutex_unlock(&normal));
    CHECK(pthread_mutex_destroy(&normal));
    UNDEFINED(pthread_mutex_lock(&normal));
    UNDEFINED(pthread_mutex_trylock(&normal));
    UNDEFINED(pthread_mutex_unlock(&normal));
    UNDEFINED(pthread_mutex_destroy(&normal));
    CHECK(pthread_mutex_init(&normal, 0));
    CHECK(result_of(try_normal));

    CHECK(pthread_mutexattr_init(&attributes));
    CHECK(type());
    CHECK(pthread_mutexattr_settype(&attributes, -1));
    CHECK(pthread_mutexattr_settype(&attributes, 4));
    CHECK(type());
    CHECK(shared());
    CHECK(protocol());
    CHECK(robustness());
    CHECK(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    CHECK(pthread_mutexattr_setpshared(&attributes, 2));
    CHECK(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
    CHECK(pthread_mutexattr_setprotocol(&attributes, 3));
    CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED));
    CHECK(pthread_mutexattr_setrobust(&attributes, 2));
    CHECK(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE));
    CHECK(type());
    CHECK(shared());
    CHECK(protocol());
    CHECK(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_NONE));
    CHECK(type());
    CHECK(shared());
    CHECK(protocol());
    CHECK(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE));
    CHECK(shared());
    CHECK(robustness());
    CHECK(pthread_mutex_init(&made, &attributes));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_lock(&made));
    CHECK(pthread_mutex_lock(&made));
    CHECK(pthread_mutex_trylock(&made));
    CHECK(pthread_mutex_timedlock(&made, &past));
    CHECK(result_of(unlock_made));
    CHECK(result_of(try_made));
    CHECK(result_of(wait_made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_destroy(&made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_destroy(&made));

    CHECK(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK));
    CHECK(pthread_mutex_init(&made, &attributes));
    CHECK(pthread_mutexattr_destroy(&attributes));
    UNDEFINED(pthread_mutexattr_destroy(&attributes));
    CHECK(pthread_mutex_lock(&made));
    CHECK(pthread_mutex_lock(&made));
    CHECK(pthread_mutex_trylock(&made));
    CHECK(pthread_mutex_timedlock(&made, &past));
    CHECK(result_of(unlock_made));
    CHECK(pthread_mutex_unlock(&made));
    CHECK(pthread_mutex_unlock(&made));
    END;
}
