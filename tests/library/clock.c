// functions: clock_gettime clock_getres gettimeofday clock_nanosleep timespec_get
#include <sys/time.h>
#include <time.h>

#include "check.h"

static int is_before(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec < other->tv_sec || (one->tv_sec == other->tv_sec && one->tv_nsec < other->tv_nsec);
}

int main(void)
{
    struct timespec now, later, absent;
    struct timeval day;
    struct timezone zone;
    struct timespec *nowhere = 0;
    CHECK(clock_gettime(CLOCK_REALTIME, &now));
    ONE_OF(now.tv_sec, value >= 0);
    ONE_OF(now.tv_nsec, value >= 0 && value < 1000000000);
    CHECK(timespec_get(&now, 0));
    CHECK(timespec_get(&now, TIME_UTC));
    ONE_OF(now.tv_sec, value >= 0);
    ONE_OF(now.tv_nsec, value >= 0 && value < 1000000000);
    CHECK(gettimeofday(&day, 0));
    ONE_OF(day.tv_sec, value >= 0);
    ONE_OF(day.tv_usec, value >= 0 && value < 1000000);
    CHECK(gettimeofday(&day, &zone));
    UNKNOWN(zone.tz_dsttime);
    CHECK(clock_gettime(10, &now));
    CHECK(errno);
    CHECK(clock_gettime(77, &now));

    CHECK(clock_gettime(CLOCK_MONOTONIC, &now));
    CHECK(clock_gettime(CLOCK_MONOTONIC, &later));
    CHECK(is_before(&later, &now));
    now.tv_nsec = 0;
    now.tv_sec++;
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, 0));
    CHECK(clock_gettime(CLOCK_MONOTONIC, &later));
    CHECK(is_before(&later, &now));
    absent = (struct timespec){0, 1000};
    CHECK(clock_nanosleep(CLOCK_REALTIME, 0, &absent, 0));
    CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &absent, 0));
    CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &absent, 0));
    absent.tv_nsec = 1000000000;
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &absent, 0));
    absent = (struct timespec){-1, 0};
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &absent, 0));

    CHECK(clock_gettime(CLOCK_BOOTTIME, &now));
    UNKNOWN(now.tv_sec);
    CHECK(clock_getres(CLOCK_MONOTONIC, &now));
    CHECK(now.tv_sec);
    UNKNOWN(now.tv_nsec);
    CHECK(clock_getres(CLOCK_REALTIME, 0));
    CHECK(clock_getres(10, &now));

    UNDEFINED(clock_gettime(CLOCK_REALTIME, nowhere));
    UNDEFINED(clock_gettime(CLOCK_MONOTONIC, nowhere));
    UNDEFINED(timespec_get(nowhere, TIME_UTC));
    UNDEFINED(gettimeofday((struct timeval *)nowhere, 0));
    UNDEFINED(clock_nanosleep(CLOCK_REALTIME, 0, nowhere, 0));
    END;
}
