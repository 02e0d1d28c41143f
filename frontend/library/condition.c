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
    unsigned waiting; /* threads that wait, and those that are woken and not gone yet: their set where they are known, else how many */
    unsigned woken;   /* those of them for whom there was a signal */
    /* Kept up where the threads are known: of some that wait, a signal wakes any one, and no other that waits later. Numbers alone do for
       whether it is right to destroy a condition variable, but where the answer may be that it is not. */
    unsigned signalled; /* those that were not woken with all others */
    /* Kept up where it may be another one than CLOCK_REALTIME: */
    clockid_t clock; /* of limits */
    /* Kept up where it may not always be the same: */
    const pthread_mutex_t *mutex; /* what those released that wait and are not woken */
};

/* Operations on a condition variable, with names by which their accesses are known to be such. */
void __mazurka_cond_require(const struct condition *);
void __mazurka_cond_require_made(const pthread_cond_t *);
void __mazurka_cond_begin(struct condition *, const pthread_mutex_t *);
void __mazurka_cond_end(struct condition *, _Bool, _Bool);
void __mazurka_cond_leave(struct condition *, _Bool);
void __mazurka_cond_wake_one(struct condition *);

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
    if (ARE_THREADS_KNOWN)
        condition->signalled = 0;
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

void __mazurka_cond_wake_one(struct condition *condition)
{
    if (ARE_THREADS_KNOWN) {
        unsigned chosen = __mazurka_one_of(condition->waiting & ~condition->woken);
        condition->woken |= chosen;
        condition->signalled |= chosen;
    } else if (condition->woken < condition->waiting) {
        condition->woken++;
    }
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
    if (are_counted())
        __mazurka_cond_wake_one(condition);
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
    if (ARE_THREADS_KNOWN)
        condition->signalled = 0;
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
    if (are_counted()) {
        if (ARE_THREADS_KNOWN)
            condition->waiting |= OWN_SET;
        else
            condition->waiting++;
    }
    __VERIFIER_atomic_end();
}

/* A thread that has waited goes. If it is cancelled, it uses no signal. */
void __mazurka_cond_leave(struct condition *condition, _Bool has_waited)
{
    unsigned own = OWN_SET;
    _Bool was_signalled = (condition->signalled & own) != 0;
    condition->waiting &= ~own;
    condition->woken &= ~own;
    condition->signalled &= ~own;
    if (__mazurka_is_used("pthread_cancel") && has_waited && __mazurka_acts_in_wait() && was_signalled) {
        LET_GO;
        __mazurka_cond_wake_one(condition);
    }
}

/* The condition variable must still be there. Where threads are counted, those for whom there was a signal go first, which leaves the most
   of them waiting; but whose wait has timed out has used none, unless there was one for each. */
void __mazurka_cond_end(struct condition *condition, _Bool has_waited, _Bool timed_out)
{
    if (__mazurka_lasts(condition) && !are_counted())
        return;
    __VERIFIER_atomic_begin();
    __mazurka_cond_require(condition);
    if (are_counted()) {
        if (ARE_THREADS_KNOWN) {
            __mazurka_cond_leave(condition, has_waited);
        } else {
            condition->waiting--;
            if (timed_out ? condition->woken > condition->waiting : condition->woken != 0)
                condition->woken--;
        }
    }
    if (__mazurka_are_leaks_looked_for() && !__mazurka_waits_agree(NULL, NULL) && condition->waiting == 0)
        condition->mutex = NULL;
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

/* Who destroys the condition variable goes on when the last thread has left, and may use its memory. */
static void end(struct condition *condition, _Bool is_watched, _Bool has_waited, _Bool timed_out)
{
    if (__mazurka_are_watched())
        __VERIFIER_atomic_begin();
    __mazurka_cond_end(condition, has_waited, timed_out);
    if (is_watched)
        RELEASE(condition);
    if (__mazurka_are_watched())
        __VERIFIER_atomic_end();
}

/* Where it matters who waits, it matters who has timed out. */
static int wait_for_signal(struct condition *condition, pthread_mutex_t *mutex, _Bool timed_out, _Bool has_limit)
{
    /* Where it is known who waits, no signal is for a thread whose mutex is not released. */
    if (ARE_THREADS_KNOWN)
        __VERIFIER_atomic_begin();
    __mazurka_cond_begin(condition, mutex);
    _Bool is_watched = HOLD(condition);
    int error = release_mutex(mutex);
    if (ARE_THREADS_KNOWN) {
        if (error)
            end(condition, is_watched, 0, timed_out);
        __VERIFIER_atomic_end();
        if (error)
            return error;
        if (!has_limit) {
            MAY_WAIT_FOR_GOOD((condition->woken & OWN_SET) == 0 && !IS_CANCELLED, 0)
        }
    }
    end(condition, is_watched, error == 0, timed_out);
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
