/* What waiting and sleeping tell of the clock CLOCK_MONOTONIC, which never goes back. It is kept where a program reads clocks. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

#include "model.h"

/* The clock shows this time now or has shown it before. */
extern _Bool __mazurka_monotonic_is_over(const struct timespec *);

/* Goes on when the clock shows this time. */
extern void __mazurka_monotonic_reaches(const struct timespec *);

/* Goes on so much later. */
extern void __mazurka_time_passes(long seconds, long nanoseconds);

/* So much time of a valid length passes. */
static inline void pass(long seconds, long nanoseconds)
{
    if (__mazurka_is_used("clock_gettime"))
        __mazurka_time_passes(seconds, nanoseconds);
}

#endif
