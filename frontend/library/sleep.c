/* Sleeping. No signal ends it, and only clocks tell how long it was. */
#include <poll.h>

#include "clock.h"
#include "error_number.h"
#include "timed.h"

extern int __mazurka_unknown_int(void);

static _Bool is_length(const struct timespec *time)
{
    return time->tv_sec >= 0 && is_valid_time(time);
}

int nanosleep(const struct timespec *request, struct timespec *rest)
{
    (void)rest;
    if (!is_length(request))
        return fail(INVALID);
    pass(request->tv_sec, request->tv_nsec);
    return 0;
}

/* Of the clocks of Linux, some cannot be slept for. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *rest)
{
    (void)rest;
    if (clock == CLOCK_THREAD_CPUTIME_ID)
        return INVALID;
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        __mazurka_unsupported("sleep by another clock than CLOCK_REALTIME or CLOCK_MONOTONIC");
    if (!is_length(request))
        return INVALID;
    if (!(flags & TIMER_ABSTIME))
        pass(request->tv_sec, request->tv_nsec);
    else
        time_out(clock, request);
    return 0;
}

/* The results tell what is left of the time, or that it was refused. */
unsigned sleep(unsigned seconds)
{
    pass(seconds, 0);
    return (unsigned)__mazurka_unknown_int();
}

/* A second or more may be refused. */
int usleep(unsigned microseconds)
{
    if (microseconds < 1000000)
        pass(0, 1000l * microseconds);
    return __mazurka_unknown_int();
}

/* Without files it only sleeps, for milliseconds or for ever. */
int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    (void)files;
    if (count != 0)
        __mazurka_unsupported("waiting for files");
    WAIT_UNTIL(milliseconds >= 0);
    pass(milliseconds / 1000, milliseconds % 1000 * 1000000l);
    return 0;
}
