// functions: sched_get_priority_min sched_get_priority_max sched_getscheduler sched_setscheduler sched_getparam sched_setparam
// functions: pthread_getschedparam pthread_setschedparam pthread_setschedprio
#include <sched.h>

#include "check.h"

int main(void)
{
    struct sched_param parameters = {0};
    struct sched_param *nowhere = 0;
    int policy = 0;
    CHECK(sched_get_priority_min(SCHED_OTHER));
    CHECK(sched_get_priority_max(SCHED_OTHER));
    CHECK(sched_get_priority_min(SCHED_FIFO));
    CHECK(sched_get_priority_max(SCHED_FIFO));
    CHECK(sched_get_priority_min(SCHED_RR));
    CHECK(sched_get_priority_max(SCHED_RR));
    CHECK(sched_get_priority_min(SCHED_BATCH));
    CHECK(sched_get_priority_max(SCHED_IDLE));
    errno = 0;
    CHECK(sched_get_priority_max(77));
    CHECK(errno);
    errno = 0;
    CHECK(sched_get_priority_min(-1));
    CHECK(errno);
    UNDEFINED(sched_setscheduler(0, SCHED_OTHER, nowhere));
    UNDEFINED(sched_setparam(0, nowhere));
    UNDEFINED(sched_getparam(0, nowhere));
    UNDEFINED(pthread_setschedparam(pthread_self(), SCHED_OTHER, nowhere));
    UNDEFINED(pthread_getschedparam(pthread_self(), &policy, nowhere));
    UNKNOWN(sched_getscheduler(0));
    UNKNOWN(sched_setscheduler(0, SCHED_OTHER, &parameters));
    UNKNOWN(sched_setparam(0, &parameters));
    UNKNOWN(sched_getparam(0, &parameters));
    UNKNOWN(parameters.sched_priority);
    UNKNOWN(pthread_getschedparam(pthread_self(), &policy, &parameters));
    UNKNOWN(policy);
    UNKNOWN(parameters.sched_priority);
    parameters.sched_priority = 0;
    UNKNOWN(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters));
    UNKNOWN(pthread_setschedprio(pthread_self(), 0));
    END;
}
