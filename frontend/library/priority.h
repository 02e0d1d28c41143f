/* The priorities of Linux. */
#ifndef PRIORITY_H
#define PRIORITY_H

#include <sched.h>

static inline int least_priority(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
}

static inline int greatest_priority(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

#endif
