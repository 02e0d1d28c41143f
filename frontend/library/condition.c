/* Condition variables. Spurious wake-ups are allowed at any time, so a signal carries no information and a wait is:
   release the mutex, take it again. Who waits matters to the end of a condition variable and to waits with another mutex alone. */
#define _GNU_SOURCE
#include <pthread.h>

#include "condition_attributes.h"
#include "model.h"
#include "timed.h"

struct condition {
    int status; /* negative if not initialised */
    /* Kept up where it matters who waits: */
    unsigned waiting; /* threads that wait, and those that are woken and not gone yet */
    unsigned woken;   /* those of them for whom there was a signal */
    /* Kept up where deadlocks are looked for: */
    unsigned staying; /* those of the others that wait for good */
    /* Kept up where it may be another one than CLOCK_REALTIME: */
    clockid_t clock; /* of limits */
    /* Kept up where it may not always be the same: */
    const pthread_mutex_t *mutex; /* what those released that wait and are not woken */
};

/* Operations on a condition variable, with names by which their accesses are known to be such. */
void __mazurka_cond_require(const struct condition *);
void __mazurka_cond_require_made(const pthread_cond_t *);
void __mazurka_cond_begin(struct condition *, const pthread_mutex_t *);
void __mazurka_cond_end(struct condition *, _Bool);

enum { DESTROYED = -1, INITIALISED = 0, MADE = 1 };

void __mazurka_cond_require(const struct condition *condition)
{
    REQUIRE_END((const pthread_cond_t *)condition);
    __mazurka_lock_misuse_unless(condition->status >= INITIALISED, "use of a condition variable that is not initialised");
}

/* For the functions of C11, which have no static initialiser. */
void __mazurka_cond_require_made(const pthread_cond_t *condition)
{
    __mazurka_lock_misuse_unless(((const struct condition *)condition)->status == MADE, "use of a condition variable that cnd_init has not made");
}

/* It matters where condition variables are destroyed or copied, where threads may wait for one with two mutexes, and where they may wait for
   good. */
static _Bool are_counted(void)
{
    return __mazurka_are_deadlocks_looked_for() || __mazurka_is_used("pthread_cond_destroy") || __mazurka_are_copied() || !__mazurka_waits_agree(NULL, NULL);
}

static _Bool have_clocks(void)
{
    return __mazurka_is_used("pthread_condattr_setclock");
}

/* Where nobody counts those that wait, what was made already may be in use. */
int pthread_cond_init(pthread_cond_t *restrict object, const pthread_condattr_t *restrict attributes)
{
    struct condition *condition = (struct condition *)object;
    clockid_t clock = attributes ? clock_of(attributes) : CLOCK_REALTIME;
    __VERIFIER_atomic_begin();
    MISUSE_IF_IN_USE(condition, are_counted() ? condition->waiting != 0 : condition->status == MADE);
    REACH_END(object);
    condition->status = MADE;
    condition->waiting = 0;
    condition->woken = 0;
    if (__mazurka_are_deadlocks_looked_for())
        condition->staying = 0;
    if (have_clocks())
        condition->clock = clock;
    __VERIFIER_atomic_end();
    return 0;
}

/* Waits until all that are woken are gone: a thread may destroy the condition variable as soon as it has woken all. */
int pthread_cond_destroy(pthread_cond_t *object)
{
    struct condition *condition = (struct condition *)object;
    USE(&condition->status);
    USE(&condition->waiting);
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    __mazurka_lock_misuse_unless(condition->woken == condition->waiting,
                                 "destruction of a condition variable that threads wait for");
    WAIT_UNTIL(condition->waiting == 0);
    condition->status = DESTROYED;
    __VERIFIER_atomic_end();
    return 0;
}

/* A signal may wake more threads than one; that it wakes only one leaves the most of them waiting. */
int pthread_cond_signal(pthread_cond_t *object)
{
    struct condition *condition = (struct condition *)object;
    USE(&condition->status);
    USE(&condition->waiting);
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    LET_GO;
    if (are_counted() && condition->woken < condition->waiting)
        condition->woken++;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *object)
{
    struct condition *condition = (struct condition *)object;
    USE(&condition->status);
    USE(&condition->waiting);
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    LET_GO;
    if (are_counted())
        condition->woken = condition->waiting;
    __VERIFIER_atomic_end();
    return 0;
}

/* A condition variable belongs to one mutex while threads wait for whom there was no signal. */
void __mazurka_cond_begin(struct condition *condition, const pthread_mutex_t *mutex)
{
    _Bool agree = __mazurka_waits_agree(condition, mutex);
    USE(&condition->status);
    USE(&condition->waiting);
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    if (!agree) {
        __mazurka_lock_misuse_unless(condition->woken == condition->waiting || condition->mutex == mutex,
                                     "wait for a condition variable with two mutexes");
        condition->mutex = mutex;
    }
    if (are_counted())
        condition->waiting++;
    __VERIFIER_atomic_end();
}

/* The condition variable must still be there. Threads for whom there was a signal go first, which leaves the most of them waiting; but
   whose wait has timed out has used none, unless there was one for each. */
void __mazurka_cond_end(struct condition *condition, _Bool timed_out)
{
    if (__mazurka_lasts(condition) && !are_counted())
        return;
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    if (are_counted()) {
        condition->waiting--;
        if (timed_out ? condition->woken > condition->waiting : condition->woken != 0)
            condition->woken--;
    }
    __VERIFIER_atomic_end();
}

/* A thread that waits must hold the mutex; only one that checks for errors says so. */
static int release_mutex(pthread_mutex_t *mutex)
{
    int error = pthread_mutex_unlock(mutex);
    if (error)
        __mazurka_lock_misuse_unless(mutex->__data.__kind == PTHREAD_MUTEX_ERRORCHECK,
                                     "wait with a mutex that the thread does not hold");
    return error;
}

/* Where it matters who waits, it matters who has timed out. */
static int wait_for_signal(struct condition *condition, pthread_mutex_t *mutex, _Bool timed_out, _Bool has_limit)
{
    __mazurka_cond_begin(condition, mutex);
    _Bool is_watched = HOLD(condition);
    int error = release_mutex(mutex);
    /* There must be a signal for as many as go on. */
    if (!error && !has_limit) {
        WAIT_OR_NOTE((void)0, condition->staying++, condition->woken + condition->staying < condition->waiting, 0)
    }
    if (__mazurka_are_watched()) {
        /* Who destroys the condition variable goes on when the last thread has left, and may use its memory. */
        __VERIFIER_atomic_begin();
        __mazurka_cond_end(condition, timed_out);
        if (is_watched)
            RELEASE(condition);
        __VERIFIER_atomic_end();
    } else {
        __mazurka_cond_end(condition, timed_out);
    }
    if (error)
        return error;
    return pthread_mutex_lock(mutex);
}

int pthread_cond_wait(pthread_cond_t *restrict object, pthread_mutex_t *restrict mutex)
{
    return wait_for_signal((struct condition *)object, mutex, 0, 0);
}

/* Condition variable and mutex must be valid even if the limit is not, which ends the wait before it begins. */
static int refuse(const pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    __VERIFIER_atomic_begin();
    __mazurka_cond_require((const struct condition *)condition);
    int error = release_mutex(mutex);
    if (!error)
        error = pthread_mutex_lock(mutex);
    __VERIFIER_atomic_end();
    return error && __VERIFIER_nondet_bool() ? error : INVALID;
}

/* The limit is read when the call begins. */
int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict limit)
{
    if (!has_limits(clock) || !is_valid_time(limit))
        return refuse(condition, mutex);
    const struct timespec end = {limit->tv_sec, limit->tv_nsec};
    _Bool timed_out = is_over(clock, &end);
    if (are_counted())
        timed_out |= __VERIFIER_nondet_bool();
    int error = wait_for_signal((struct condition *)condition, mutex, timed_out, 1);
    if (error)
        return error;
    if (!are_counted())
        timed_out |= __VERIFIER_nondet_bool();
    if (timed_out)
        time_out(clock, &end);
    return timed_out ? TIMED_OUT : 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict object, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict limit)
{
    const struct condition *condition = (const struct condition *)object;
    return pthread_cond_clockwait(object, mutex, have_clocks() ? condition->clock : CLOCK_REALTIME, limit);
}
