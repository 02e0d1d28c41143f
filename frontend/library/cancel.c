/* Cancellation, which is deferred: a thread for which there is a request ends where it calls a cancellation point. Which calls those are is
   seen in the program, which asks here before and ends the thread by pthread_exit. */
#include <pthread.h>
#include <time.h>

#include "model.h"

/* How many threads there may be, counted from 1. */
enum { THREADS = 64 };

static _Bool requested[THREADS + 1];
static _Thread_local int state;
static _Thread_local int type;
static _Thread_local _Bool is_ending;
static _Thread_local _Bool acts_in_wait;

/* Asked before calls that must act, before or behind those that may, before a sleep that tells there what is left, and behind a wait for
   a condition variable with this result. */
_Bool __mazurka_may_be_cancelled(void);
_Bool __mazurka_is_cancelled_in_sleep(struct timespec *rest);
_Bool __mazurka_is_cancelled_in_wait(int result);

_Bool __mazurka_is_cancelled(void)
{
    unsigned own = __mazurka_thread();
    return state == PTHREAD_CANCEL_ENABLE && own <= THREADS && (requested[own] || COMES_ABOUT);
}

_Bool __mazurka_may_be_cancelled(void)
{
    return __mazurka_is_cancelled() && __VERIFIER_nondet_bool();
}

_Bool __mazurka_is_cancelled_in_sleep(struct timespec *rest)
{
    if (!__mazurka_is_cancelled())
        return 0;
    if (rest && __VERIFIER_nondet_bool()) {
        rest->tv_sec = (time_t)__mazurka_unknown_long();
        rest->tv_nsec = (long)__mazurka_unknown_long();
    }
    return 1;
}

_Bool __mazurka_cancellation_is_on(void)
{
    return state == PTHREAD_CANCEL_ENABLE;
}

/* Where it is known who waits, a thread that leaves a wait for a condition variable decides then whether it is cancelled. */
_Bool __mazurka_acts_in_wait(void)
{
    acts_in_wait = __mazurka_may_be_cancelled();
    return acts_in_wait;
}

/* A wait that was refused has given up no mutex. */
_Bool __mazurka_is_cancelled_in_wait(int result)
{
    if (ARE_THREADS_KNOWN) {
        _Bool acts = acts_in_wait;
        acts_in_wait = 0;
        return acts;
    }
    return (result == 0 || result == TIMED_OUT) && __mazurka_may_be_cancelled();
}

void __mazurka_begin_end(void)
{
    state = PTHREAD_CANCEL_DISABLE;
    is_ending = 1;
}

int pthread_cancel(pthread_t thread)
{
    __VERIFIER_atomic_begin();
    unsigned number = __mazurka_number_of(thread);
    _Bool is_known = number <= THREADS;
    LET_GO;
    if (is_known)
        requested[number] = 1;
    __VERIFIER_atomic_end();
    __mazurka_undefined_unless(is_known, "cancellation of one of more than 64 threads");
    return 0;
}

/* The program has called this; it does nothing else. */
void pthread_testcancel(void)
{
}

int pthread_setcancelstate(int wanted, int *old)
{
    if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE)
        return INVALID;
    __mazurka_undefined_unless(wanted == PTHREAD_CANCEL_DISABLE || !is_ending,
                               "cancellation is enabled in a handler that the end of its thread runs");
    /* Cancellation is off in a thread that ends, but glibc may still tell what was before. */
    if (old)
        *old = is_ending && __VERIFIER_nondet_bool() ? PTHREAD_CANCEL_ENABLE : state;
    state = wanted;
    return 0;
}

int pthread_setcanceltype(int wanted, int *old)
{
    if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS)
        return INVALID;
    if (wanted == PTHREAD_CANCEL_ASYNCHRONOUS && __mazurka_is_used("pthread_cancel"))
        __mazurka_unsupported("asynchronous cancellation");
    if (old)
        *old = type;
    type = wanted;
    return 0;
}
