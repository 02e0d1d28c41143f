/* Barriers: the last thread to arrive starts the next round and lets the others go. */
#include <pthread.h>

#include "attributes.h"
#include "model.h"

struct barrier {
    unsigned threads; /* how many must arrive; 0 if the barrier is not initialised */
    unsigned arrived; /* in this round */
    unsigned round;
    unsigned leaving; /* let go by the end of a round and not gone yet; kept up where barriers are destroyed */
};

static _Bool are_destroyed(void)
{
    return __mazurka_is_used("pthread_barrier_destroy");
}

/* The greatest number of threads that glibc allows. */
enum { MOST_THREADS = INT32_MAX };

/* Where nobody counts those that leave, what was initialised already may be in use. */
int pthread_barrier_init(pthread_barrier_t *restrict object, const pthread_barrierattr_t *restrict attributes,
                         unsigned threads)
{
    struct barrier *barrier = (struct barrier *)object;
    require_attributes(attributes);
    if (threads == 0 || threads > MOST_THREADS)
        return INVALID;
    __VERIFIER_atomic_begin();
    MISUSE_IF_IN_USE(barrier, are_destroyed() ? barrier->arrived != 0 || barrier->leaving != 0 : barrier->threads != 0);
    REACH_END(object);
    barrier->threads = threads;
    barrier->arrived = 0;
    barrier->round = 0;
    barrier->leaving = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* Waits until nobody looks at the barrier any more: a thread may destroy it as soon as it was let go itself. */
int pthread_barrier_destroy(pthread_barrier_t *object)
{
    struct barrier *barrier = (struct barrier *)object;
    USE(barrier);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(barrier->threads != 0 && barrier->arrived == 0,
                                 "destruction of a barrier that threads wait at or that is not initialised");
    WAIT_UNTIL(barrier->leaving == 0);
    barrier->threads = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *object)
{
    struct barrier *barrier = (struct barrier *)object;
    unsigned round;
    int last;
    _Bool is_watched = 0;
    USE(barrier);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(barrier->threads != 0, "use of a barrier that is not initialised");
    round = barrier->round;
    last = barrier->arrived + 1 == barrier->threads;
    if (last) {
        LET_GO;
        if (are_destroyed())
            barrier->leaving += barrier->arrived;
        barrier->arrived = 0;
        barrier->round = round + 1;
    } else {
        barrier->arrived++;
        is_watched = HOLD(barrier);
    }
    __VERIFIER_atomic_end();
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    MAY_WAIT_FOR_GOOD(barrier->round == round, 0)
    if (are_destroyed()) {
        __VERIFIER_atomic_begin();
        WAIT_UNTIL(barrier->round != round);
        barrier->leaving--;
        if (is_watched)
            RELEASE(barrier);
        __VERIFIER_atomic_end();
    } else {
        WAIT_UNTIL(barrier->round != round);
        if (is_watched)
            RELEASE(barrier);
    }
    return 0;
}
