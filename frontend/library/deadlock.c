/* Threads that wait for good. A deadlock is a state in which all threads that have not ended wait, or in which some wait for each other, or for
   what a thread holds that has ended.

   A thread that has to wait may say that it waits for good. In a deadlock each of its threads can say so at last, when nothing lets another one
   go on any more, and one after the other in a fixed order. So nothing has to be looked at in which a thread does something else that
   others wait for after one has said so: whoever said it was right. All threads say it by their numbers, and some that wait for each
   other from the one with the greatest number to the one that it waits for. */
#include <pthread.h>

#include "model.h"

/* Sets of threads. */
static unsigned started = 2;
static unsigned ending; /* do nothing that others wait for but to end */
static unsigned ended;
static unsigned waiting; /* for good */

/* If threads say that they wait for each other, the first that said it, as a set. */
static unsigned first;

/* The thread that the one waits for which has said last that it waits, as a set; empty if none holds what it waits for. If threads wait for
   each other, it has to say so next. Traces tell it. */
unsigned __mazurka_awaited;

/* Whether one of those may be cancelled while it waits. */
static _Bool may_be_cancelled;

/* Whether the thread waits until a limit of time. */
_Thread_local _Bool __mazurka_has_limit;

void __mazurka_end_thread(void);
int __mazurka_join(pthread_t, void **);

/* In the region that has created it. */
void __mazurka_begin_thread(unsigned long thread)
{
    started |= __mazurka_set_of(__mazurka_number_of(thread));
}

/* From the first step on, nobody says any more that it waits for this thread. Whoever has said so before stops it behind that, where it
   has not ended. */
void __mazurka_end_thread(void)
{
    unsigned own = OWN_SET;
    __atomic_fetch_or(&ending, own, __ATOMIC_SEQ_CST);
    __mazurka_let_go();
    __atomic_fetch_or(&ended, own, __ATOMIC_SEQ_CST);
}

void __mazurka_let_go(void)
{
    __VERIFIER_assume(waiting == 0);
}

/* All threads that have not ended wait, those with smaller numbers than this one for good. */
static void wait_with_all(unsigned own, unsigned holder)
{
    unsigned others = started & ~ended;
    __VERIFIER_assume((others & (own - 1)) == waiting);
    waiting |= own;
    __mazurka_awaited = holder;
    __mazurka_deadlock_unless(waiting != others, "deadlock");
}

/* The thread waits for the holder, which waits for the next one, and so on until one waits for the first. */
static void wait_for(unsigned own, unsigned holder)
{
    if (waiting == 0)
        first = own;
    else
        __VERIFIER_assume(own == __mazurka_awaited);
    __mazurka_awaited = holder;
    if (__mazurka_is_used("pthread_cancel") && may_be_cancelled && (holder & (first | ended)))
        __mazurka_unsupported("threads that wait for each other until one may be cancelled");
    __mazurka_deadlock_unless((holder & (first | ended)) == 0, "deadlock");
    __VERIFIER_assume(holder < first);
    waiting |= own;
}

void __mazurka_wait_for_good(unsigned holder)
{
    unsigned own = OWN_SET;
    _Bool with_all = waiting == 0 ? holder == 0 || __mazurka_choose() : first == 0;
    if (with_all) {
        wait_with_all(own, holder);
    } else {
        __VERIFIER_assume(holder != 0);
        wait_for(own, holder);
    }
}

/* Stands for `pthread_join`. */
int __mazurka_join(pthread_t thread, void **value)
{
    unsigned number = __mazurka_number_of(thread);
    int error = 0;
    WAIT_OR_NOTE(error = pthread_join(thread, value), may_be_cancelled |= CANCELLATION_IS_ON,
                 number != __mazurka_thread() && !(ending & __mazurka_set_of(number)) && !IS_CANCELLED, __mazurka_set_of(number))
    return error;
}
