/* Limits of waiting. The time is not modelled: a limit may be over whenever a thread would have to wait. */
#ifndef TIMED_H
#define TIMED_H

#include <time.h>

/* Waiting until another time fails with INVALID, whether or not it is over. */
static inline _Bool is_valid_time(const struct timespec *limit)
{
    return limit->tv_nsec >= 0 && limit->tv_nsec < 1000000000;
}

#endif
