/* Limits of waiting. The time is not modelled: a limit may be over whenever a thread would have to wait. Only the start of 1970
   and what lies before it is certainly over. */
#ifndef TIMED_H
#define TIMED_H

#include <time.h>

/* Waiting until another time fails with INVALID, whether or not it is over. */
static inline _Bool is_valid_time(const struct timespec *limit)
{
    return limit->tv_nsec >= 0 && limit->tv_nsec < 1000000000;
}

/* Whether a valid limit is over, whatever the time is. */
static inline _Bool is_over(const struct timespec *limit)
{
    return limit->tv_sec < 0 || (limit->tv_sec == 0 && limit->tv_nsec == 0);
}

#endif
