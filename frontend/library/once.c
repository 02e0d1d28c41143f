/* One-time initialisation: others wait until the routine has returned. */
#include <pthread.h>

#include "model.h"

/* How many routines the thread is in; kept up where threads may end by a call. */
static _Thread_local int depth;

/* POSIX does not say whether the other threads wait for ever for what an ended thread has begun. */
void __mazurka_thread_ends(void)
{
    __mazurka_undefined_unless(depth == 0, "end of a thread in a routine of pthread_once");
}

/* The state is in the lowest two bits. Where deadlocks are looked for, the number of the thread that runs the routine is above them. */
enum { NOT_STARTED = 0, RUNNING = 1, DONE = 2, NUMBER_SHIFT = 2, STATE_MASK = 3 };

static int running(void)
{
    return __mazurka_are_deadlocks_looked_for() ? RUNNING | (int)__mazurka_thread() << NUMBER_SHIFT : RUNNING;
}

/* The answer is computed from the state, and chosen by no branch, so that it shows whether the state was ever written. */
static _Bool is_initialised(int state)
{
    if (__mazurka_are_deadlocks_looked_for())
        return (state == NOT_STARTED) | (state == DONE) | ((state > RUNNING) & ((state & STATE_MASK) == RUNNING));
    return (state >= NOT_STARTED) & (state <= DONE);
}

static unsigned runner(int state)
{
    return __mazurka_set_of((unsigned)state >> NUMBER_SHIFT);
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    int state;
    __VERIFIER_atomic_begin();
    state = *control;
    __mazurka_lock_misuse_unless(is_initialised(state), "use of a once control that is not initialised");
    if (state == NOT_STARTED)
        *control = running();
    __VERIFIER_atomic_end();
    if (state == NOT_STARTED) {
        if (__mazurka_is_used("__mazurka_thread_ends")) {
            depth++;
            routine();
            depth--;
        } else {
            routine();
        }
        if (__mazurka_are_deadlocks_looked_for())
            __VERIFIER_atomic_begin();
        LET_GO;
        *control = DONE;
        if (__mazurka_are_deadlocks_looked_for())
            __VERIFIER_atomic_end();
    } else if (state != DONE) {
        MAY_WAIT_FOR_GOOD(*control != DONE, runner(*control))
        WAIT_UNTIL(*control == DONE);
    }
    return 0;
}
