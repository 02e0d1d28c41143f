// functions: thrd_create thrd_join thrd_exit thrd_detach thrd_current thrd_equal thrd_yield thrd_sleep
// functions: mtx_init mtx_destroy mtx_lock mtx_timedlock mtx_trylock mtx_unlock
// functions: cnd_init cnd_destroy cnd_signal cnd_broadcast cnd_wait cnd_timedwait
// functions: call_once tss_create tss_delete tss_get tss_set
#include <threads.h>
#include <time.h>

#include "check.h"

static mtx_t plain, timed, recursive, both, never_made;
static cnd_t condition, no_condition;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static thrd_t first;
static struct timespec past, invalid = {0, -1};
static int object, runs, destroyed;

static int returns(void *argument)
{
    return *(int *)argument - 1;
}

static int leaves(void *argument)
{
    thrd_exit(*(int *)argument);
}

static int is_first(void *argument)
{
    (void)argument;
    return thrd_equal(thrd_current(), first);
}

static int detaches(void *argument)
{
    (void)argument;
    return thrd_detach(thrd_current());
}

static int joins_itself(void *argument)
{
    (void)argument;
    return thrd_join(thrd_current(), 0);
}

static int locks_plain(void *argument)
{
    (void)argument;
    return mtx_trylock(&plain);
}

static int unlocks_recursive(void *argument)
{
    (void)argument;
    return mtx_unlock(&recursive);
}

static int waits_for_timed(void *argument)
{
    (void)argument;
    return mtx_timedlock(&timed, &past);
}

static void destroy(void *value)
{
    destroyed += value == &object;
}

static int sets(void *argument)
{
    (void)argument;
    return tss_get(key) == 0 ? tss_set(key, &object) : 77;
}

static void routine(void)
{
    runs++;
}

/* What a thread of C11 ends with. */
static int result_in(thrd_start_t start, int argument)
{
    thrd_t thread;
    int result = -77;
    if (thrd_create(&thread, start, &argument) != thrd_success || thrd_join(thread, &result) != thrd_success)
        return -78;
    return result;
}

static int unlocked(mtx_t *mutex)
{
    int result = mtx_trylock(mutex);
    if (result == thrd_success)
        mtx_unlock(mutex);
    return result;
}

int main(void)
{
    thrd_t thread;
    struct timespec moment = {0, 1};
    first = thrd_current();
    CHECK(thrd_equal(first, thrd_current()) != 0);
    CHECK(result_in(is_first, 0));
    CHECK(result_in(returns, 5));
    CHECK(result_in(returns, -5));
    CHECK(result_in(leaves, -6));
    CHECK(result_in(joins_itself, 0));
    CHECK(thrd_create(&thread, is_first, 0));
    CHECK(thrd_join(thread, 0));
    UNDEFINED(thrd_join(thread, 0));
    CHECK(thrd_create(&thread, detaches, 0));
    CHECK(thrd_sleep(&moment, 0));
    CHECK(thrd_sleep(&invalid, 0) < -1);
    thrd_yield();

    UNDEFINED(mtx_lock(&never_made));
    UNDEFINED(mtx_trylock(&never_made));
    UNDEFINED(mtx_unlock(&never_made));
    UNDEFINED((mtx_destroy(&never_made), 0));
    UNDEFINED(mtx_init(&never_made, 8));
    CHECK(mtx_init(&plain, mtx_plain));
    CHECK(mtx_init(&timed, mtx_timed));
    CHECK(mtx_init(&recursive, mtx_plain | mtx_recursive));
    CHECK(mtx_init(&both, mtx_timed | mtx_recursive));
    UNDEFINED(mtx_unlock(&plain));
    CHECK(mtx_lock(&plain));
    UNDEFINED(mtx_lock(&plain));
    UNDEFINED(mtx_init(&plain, mtx_plain));
    UNDEFINED((mtx_destroy(&plain), 0));
    CHECK(mtx_trylock(&plain));
    CHECK(result_in(locks_plain, 0));
    UNDEFINED(mtx_timedlock(&plain, &past));
    CHECK(mtx_unlock(&plain));
    ONE_OF(unlocked(&plain), value == thrd_success || value == thrd_busy);
    ONE_OF(result_in(locks_plain, 0), value == thrd_success || value == thrd_busy);
    CHECK(mtx_lock(&recursive));
    CHECK(mtx_lock(&recursive));
    UNDEFINED(mtx_timedlock(&recursive, &past));
    UNDEFINED(result_in(unlocks_recursive, 0));
    CHECK(mtx_unlock(&recursive));
    CHECK(mtx_unlock(&recursive));
    UNDEFINED(mtx_unlock(&recursive));
    CHECK(mtx_timedlock(&timed, &past));
    UNDEFINED(mtx_timedlock(&timed, &past));
    CHECK(result_in(waits_for_timed, 0));
    CHECK(mtx_unlock(&timed));
    CHECK(mtx_lock(&both));
    CHECK(mtx_timedlock(&both, &past));
    CHECK(mtx_unlock(&both));
    CHECK(mtx_unlock(&both));
    mtx_destroy(&both);
    UNDEFINED(mtx_lock(&both));
    CHECK(mtx_init(&both, mtx_plain));

    UNDEFINED(cnd_signal(&no_condition));
    UNDEFINED(cnd_broadcast(&no_condition));
    UNDEFINED((cnd_destroy(&no_condition), 0));
    CHECK(cnd_init(&condition));
    CHECK(cnd_signal(&condition));
    CHECK(cnd_broadcast(&condition));
    UNDEFINED(cnd_wait(&condition, &timed));
    CHECK(mtx_lock(&timed));
    UNDEFINED(cnd_wait(&no_condition, &timed));
    UNDEFINED(cnd_wait(&condition, &never_made));
    ONE_OF(cnd_timedwait(&condition, &timed, &past), value == thrd_timedout || value == thrd_success);
    CHECK(cnd_timedwait(&condition, &timed, &invalid));
    CHECK(mtx_unlock(&timed));
    cnd_destroy(&condition);
    UNDEFINED(cnd_signal(&condition));
    CHECK(cnd_init(&condition));

    call_once(&flag, routine);
    call_once(&flag, routine);
    CHECK(runs);

    CHECK(tss_set(key + 500, &object));
    CHECK(tss_create(&key, destroy));
    CHECK(tss_get(key) == 0);
    CHECK(result_in(sets, 0));
    CHECK(destroyed);
    CHECK(tss_set(key, &runs));
    CHECK(tss_get(key) == &runs);
    tss_delete(key);
    UNDEFINED(tss_get(key));
    END;
}
