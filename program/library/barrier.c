/* Barriers: the last thread to arrive starts the next round and lets the others go. */
#include <pthread.h>

#include "model.h"

struct barrier {
    unsigned threads; /* how many must arrive */
    unsigned arrived; /* in this round */
    unsigned round;
};

int pthread_barrier_init(pthread_barrier_t *restrict object, const pthread_barrierattr_t *restrict attributes,
                         unsigned threads)
{
    struct barrier *barrier = (struct barrier *)object;
    (void)attributes;
    if (threads == 0)
        return INVALID;
    __VERIFIER_atomic_begin();
    barrier->threads = threads;
    barrier->arrived = 0;
    barrier->round = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *object)
{
    (void)object;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *object)
{
    struct barrier *barrier = (struct barrier *)object;
    unsigned round;
    int last;
    __VERIFIER_atomic_begin();
    round = barrier->round;
    last = barrier->arrived + 1 == barrier->threads;
    if (last) {
        barrier->arrived = 0;
        barrier->round = round + 1;
    } else {
        barrier->arrived++;
    }
    __VERIFIER_atomic_end();
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    WAIT_UNTIL(barrier->round != round);
    return 0;
}
