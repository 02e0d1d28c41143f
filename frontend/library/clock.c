/* Clocks. That of the time of day may be set, forwards and back, so it shows any time. CLOCK_MONOTONIC never goes back. Of the others
   nothing is known, and no violation counts that depends on them. */
#include <limits.h>
#include <sys/time.h>

#include "clock.h"
#include "error_number.h"

extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern int __mazurka_unknown_int(void);

enum { SECOND = 1000000000, MICROSECONDS = 1000000 };

/* Linux counts the nanoseconds of its clocks in 63 bits: they show 292 years at most. Rounded down to a power of two, with some years left
   for what programs add. Seconds of 32 bits leave a year of 68. */
#if __SIZEOF_LONG__ == 8
static const long LAST_SECOND = (1l << 33) - 1;

static long second(long number)
{
    return number & LAST_SECOND;
}
#else
static const long YEARS_LEFT = 1l << 25;
static const long LAST_SECOND = LONG_MAX - YEARS_LEFT;

static long second(long number)
{
    long small = number & LONG_MAX;
    return small - (YEARS_LEFT & -(long)(small > LAST_SECOND));
}
#endif

/* What CLOCK_MONOTONIC has shown last. */
static long last_seconds;
static long last_nanoseconds;

/* A number below `end`, made from any number below the next power of two; without a branch, since a violation behind a branch on what is
   unknown does not count. */
static long below(long end, unsigned number)
{
    long small = number & (end == SECOND ? (1u << 30) - 1 : (1u << 20) - 1);
    return small - (end & -(long)(small >= end));
}

static long any_second(void)
{
    return second(__VERIFIER_nondet_long());
}

static long any_nanosecond(void)
{
    return below(SECOND, __VERIFIER_nondet_uint());
}

static _Bool is_before(long seconds, long nanoseconds, long other_seconds, long other_nanoseconds)
{
    return seconds < other_seconds || (seconds == other_seconds && nanoseconds < other_nanoseconds);
}

_Bool __mazurka_monotonic_is_over(const struct timespec *limit)
{
    __VERIFIER_atomic_begin();
    _Bool is_over = !is_before(last_seconds, last_nanoseconds, limit->tv_sec, limit->tv_nsec);
    __VERIFIER_atomic_end();
    return is_over;
}

/* The clock stops before some times, so a thread that waits for one of these waits for ever. */
static void require_time(long seconds)
{
    WAIT_UNTIL(seconds <= LAST_SECOND);
}

void __mazurka_monotonic_reaches(const struct timespec *limit)
{
    long seconds = limit->tv_sec;
    long nanoseconds = limit->tv_nsec;
    require_time(seconds);
    __VERIFIER_atomic_begin();
    if (is_before(last_seconds, last_nanoseconds, seconds, nanoseconds)) {
        last_seconds = seconds;
        last_nanoseconds = nanoseconds;
    }
    __VERIFIER_atomic_end();
}

/* The time that has passed begins when the function is called, and others may have read the clock since. */
void __mazurka_time_passes(long seconds, long nanoseconds)
{
    struct timespec end;
    __VERIFIER_atomic_begin();
    end.tv_sec = last_seconds;
    end.tv_nsec = last_nanoseconds + nanoseconds;
    __VERIFIER_atomic_end();
    if (end.tv_nsec >= SECOND) {
        end.tv_nsec -= SECOND;
        end.tv_sec++;
    }
    require_time(seconds);
    end.tv_sec += seconds;
    __mazurka_monotonic_reaches(&end);
}

static void show_monotonic(struct timespec *place)
{
    long seconds = any_second();
    long nanoseconds = any_nanosecond();
    __VERIFIER_atomic_begin();
    if (is_before(seconds, nanoseconds, last_seconds, last_nanoseconds)) {
        seconds = last_seconds;
        nanoseconds = last_nanoseconds;
    }
    last_seconds = seconds;
    last_nanoseconds = nanoseconds;
    __VERIFIER_atomic_end();
    place->tv_sec = seconds;
    place->tv_nsec = nanoseconds;
}

/* Linux has the clocks 0 to 9 and 11; number 10 is no longer used. Negative numbers are clocks of processes and threads. */
static _Bool exists(clockid_t clock)
{
    if (clock < 0)
        __mazurka_unsupported("clock of a process or a thread");
    return clock <= CLOCK_TAI && clock != CLOCK_TAI - 1;
}

int clock_gettime(clockid_t clock, struct timespec *place)
{
    if (!exists(clock))
        return fail(INVALID);
    if (clock == CLOCK_MONOTONIC) {
        show_monotonic(place);
    } else if (clock == CLOCK_REALTIME) {
        place->tv_sec = any_second();
        place->tv_nsec = any_nanosecond();
    } else {
        if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
            __mazurka_unsupported("clock of an alarm");
        place->tv_sec = second((long)__mazurka_unknown_long());
        place->tv_nsec = below(SECOND, (unsigned)__mazurka_unknown_int());
    }
    return 0;
}

/* POSIX asks for a resolution of 20 milliseconds or better. */
int clock_getres(clockid_t clock, struct timespec *place)
{
    if (!exists(clock))
        return fail(INVALID);
    if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        __mazurka_unsupported("clock of an alarm");
    if (place) {
        place->tv_sec = 0;
        place->tv_nsec = 1 + (__mazurka_unknown_int() & ((1 << 25) - 1));
    }
    return 0;
}

/* The second argument has no meaning any more; C libraries store different things there. */
int gettimeofday(struct timeval *restrict place, void *restrict zone)
{
    place->tv_sec = any_second();
    place->tv_usec = below(MICROSECONDS, __VERIFIER_nondet_uint());
    if (zone) {
        ((struct timezone *)zone)->tz_minuteswest = __mazurka_unknown_int();
        ((struct timezone *)zone)->tz_dsttime = __mazurka_unknown_int();
    }
    return 0;
}

time_t time(time_t *place)
{
    long now = __VERIFIER_nondet_long();
    if (place)
        *place = now;
    return now;
}
