// functions: pthread_setaffinity_np pthread_getaffinity_np sched_setaffinity sched_getaffinity __sched_cpucount
#include <sched.h>

#include "check.h"

int main(void)
{
    cpu_set_t set;
    cpu_set_t *nowhere = 0;
    UNDEFINED(pthread_setaffinity_np(pthread_self(), 8, nowhere));
    UNDEFINED(pthread_getaffinity_np(pthread_self(), 8, nowhere));
    set.__bits[0] = 0x202;
    CHECK(__sched_cpucount(sizeof set.__bits[0], &set));
    UNKNOWN(pthread_setaffinity_np(pthread_self(), sizeof set.__bits[0], &set));
    UNKNOWN(pthread_getaffinity_np(pthread_self(), sizeof set.__bits[0], &set));
    UNKNOWN(set.__bits[0]);
    UNDEFINED(sched_setaffinity(0, 8, nowhere));
    UNDEFINED(sched_getaffinity(0, 8, nowhere));
    UNKNOWN(sched_setaffinity(0, sizeof set.__bits[0], &set));
    UNKNOWN(sched_getaffinity(0, sizeof set.__bits[0], &set));
    UNKNOWN(set.__bits[0]);
    END;
}
