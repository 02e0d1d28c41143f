/* Limits of waiting. Of the clock for the time of day nothing is known: a limit may be over whenever a thread would have to wait. Only the
   start of 1970 and what lies before it is certainly over. CLOCK_MONOTONIC is known as far as the program has read it. */
#ifndef TIMED_H
#define TIMED_H

#include "clock.h"

/* Waiting until another time fails with INVALID, whether or not it is over. */
static inline _Bool is_valid_time(const struct timespec *limit)
{
    return limit->tv_nsec >= 0 && limit->tv_nsec < 1000000000;
}

/* Whether functions take limits by this clock. */
static inline _Bool has_limits(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static inline _Bool is_monotonic(clockid_t clock)
{
    return clock == CLOCK_MONOTONIC && __mazurka_is_used("clock_gettime");
}

/* Whether a valid limit is over, whatever the time is. */
static inline _Bool is_over(clockid_t clock, const struct timespec *limit)
{
    return limit->tv_sec < 0 || (limit->tv_sec == 0 && limit->tv_nsec == 0) ||
           (is_monotonic(clock) && __mazurka_monotonic_is_over(limit));
}

/* A valid limit is over now. */
static inline void time_out(clockid_t clock, const struct timespec *limit)
{
    if (is_monotonic(clock))
        __mazurka_monotonic_reaches(limit);
}

/* Whether a valid limit is over when a thread would have to wait. */
static inline _Bool times_out(clockid_t clock, const struct timespec *limit)
{
    if (is_over(clock, limit))
        return 1;
    if (!__VERIFIER_nondet_bool())
        return 0;
    time_out(clock, limit);
    return 1;
}

#endif
