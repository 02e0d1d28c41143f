// functions: pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock
// functions: pthread_mutex_unlock pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype
// functions: pthread_mutexattr_gettype
#include <time.h>

#include "check.h"

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, made;
static pthread_mutexattr_t attributes;
static struct timespec past;

THREAD(try_normal, pthread_mutex_trylock(&normal))
THREAD(try_made, pthread_mutex_trylock(&made))
THREAD(wait_made, pthread_mutex_timedlock(&made, &past))
THREAD(unlock_made, pthread_mutex_unlock(&made))

static int type(void)
{
    int kind = -1;
    pthread_mutexattr_gettype(&attributes, &kind);
    return kind;
}

int main(void)
{
    struct timespec invalid = {0, -1};
    pthread_mutex_t garbage;
    UNDEFINED(pthread_mutex_lock(&garbage));
    UNDEFINED(pthread_mutexattr_destroy(&attributes));
    UNDEFINED(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL));
    UNDEFINED(type());
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
    CHECK(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE));
    CHECK(type());
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
