/* C11's <threads.h>, in terms of POSIX threads: a mutex checks for errors or is recursive, and what POSIX makes an error has no meaning in C.

   These functions are put into the place of their calls before anything looks at which library functions the program calls. So all that
   holds of the POSIX functions holds here. What they look at in a mutex or condition variable, functions of the library look at for them. */
#include <pthread.h>
#include <sched.h>
#include <threads.h>

#include "../model.h"
#include "../mutex_kind.h"

#define IN_PLACE __attribute__((always_inline))

/* Undefined unless `mtx_init` or `cnd_init` has made it. */
extern void __mazurka_require_mtx(const pthread_mutex_t *, _Bool timed);
extern void __mazurka_cond_require_made(const pthread_cond_t *);

IN_PLACE static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case BUSY:
        return thrd_busy;
    case TIMED_OUT:
        return thrd_timedout;
    case OUT_OF_MEMORY:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

IN_PLACE int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    return result_of(pthread_create(thread, NULL, (void *(*)(void *))(void *)start, argument));
}

/* Threads end with an `int`. */
IN_PLACE int thrd_join(thrd_t thread, int *result)
{
    void *value;
    int error = pthread_join(thread, &value);
    if (!error && result)
        *result = (int)(intptr_t)value;
    return result_of(error);
}

IN_PLACE void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

IN_PLACE int thrd_detach(thrd_t thread)
{
    return result_of(pthread_detach(thread));
}

IN_PLACE thrd_t thrd_current(void)
{
    return pthread_self();
}

IN_PLACE int thrd_equal(thrd_t first, thrd_t second)
{
    return pthread_equal(first, second);
}

IN_PLACE void thrd_yield(void)
{
    sched_yield();
}

/* No signal ends the sleep. C has no result for a length that is none but that it is negative and not -1. */
IN_PLACE int thrd_sleep(const struct timespec *length, struct timespec *rest)
{
    return nanosleep(length, rest) == 0 ? 0 : -2;
}

IN_PLACE int mtx_init(mtx_t *mutex, int type)
{
    __mazurka_undefined_unless((type & ~(mtx_recursive | mtx_timed)) == 0, "mutex of an unknown type");
    int kind = (type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK) | MADE_BY_C11 |
               (type & mtx_timed ? TAKES_LIMITS : 0);
    int attributes = kind + 1;
    return result_of(pthread_mutex_init((pthread_mutex_t *)mutex, (const pthread_mutexattr_t *)&attributes));
}

/* Nobody may hold it. */
IN_PLACE void mtx_destroy(mtx_t *mutex)
{
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    int error = pthread_mutex_destroy((pthread_mutex_t *)mutex);
    __mazurka_lock_misuse_unless(error == 0, "destruction of a mutex that is held");
}

/* A thread that holds a mutex which is not recursive must not lock it. */
IN_PLACE static int locked(int error)
{
    __mazurka_lock_misuse_unless(error != DEADLOCK, "lock of a mutex that the thread holds");
    return result_of(error);
}

IN_PLACE int mtx_lock(mtx_t *mutex)
{
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    return locked(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

IN_PLACE int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict limit)
{
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 1);
    return locked(pthread_mutex_timedlock((pthread_mutex_t *)mutex, limit));
}

/* It may fail though the mutex is free. */
IN_PLACE int mtx_trylock(mtx_t *mutex)
{
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    if (__VERIFIER_nondet_bool())
        return thrd_busy;
    return result_of(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

IN_PLACE int mtx_unlock(mtx_t *mutex)
{
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    int error = pthread_mutex_unlock((pthread_mutex_t *)mutex);
    __mazurka_lock_misuse_unless(error == 0, "unlock of a mutex that the thread does not hold");
    return thrd_success;
}

IN_PLACE int cnd_init(cnd_t *condition)
{
    return result_of(pthread_cond_init((pthread_cond_t *)condition, NULL));
}

IN_PLACE void cnd_destroy(cnd_t *condition)
{
    __mazurka_cond_require_made((pthread_cond_t *)condition);
    pthread_cond_destroy((pthread_cond_t *)condition);
}

IN_PLACE int cnd_signal(cnd_t *condition)
{
    __mazurka_cond_require_made((pthread_cond_t *)condition);
    return result_of(pthread_cond_signal((pthread_cond_t *)condition));
}

IN_PLACE int cnd_broadcast(cnd_t *condition)
{
    __mazurka_cond_require_made((pthread_cond_t *)condition);
    return result_of(pthread_cond_broadcast((pthread_cond_t *)condition));
}

IN_PLACE static int waited(int error)
{
    __mazurka_lock_misuse_unless(error != NOT_PERMITTED, "wait with a mutex that the thread does not hold");
    return result_of(error);
}

IN_PLACE int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    __mazurka_cond_require_made((pthread_cond_t *)condition);
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    return waited(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

IN_PLACE int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict limit)
{
    __mazurka_cond_require_made((pthread_cond_t *)condition);
    __mazurka_require_mtx((pthread_mutex_t *)mutex, 0);
    return waited(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, limit));
}

IN_PLACE void call_once(once_flag *flag, void (*routine)(void))
{
    pthread_once((pthread_once_t *)flag, routine);
}

IN_PLACE int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return result_of(pthread_key_create(key, destructor));
}

IN_PLACE void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

IN_PLACE void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

IN_PLACE int tss_set(tss_t key, void *value)
{
    return result_of(pthread_setspecific(key, value));
}

IN_PLACE int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC)
        return 0;
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}
