// functions: pthread_tryjoin_np pthread_clockjoin_np pthread_timedjoin_np
#include <time.h>

#include "check.h"

static const struct timespec invalid = {0, -1};

THREAD(answer, 7)
THREAD(try_itself, pthread_tryjoin_np(pthread_self(), 0))

int main(void)
{
    pthread_t thread;
    void *found = 0;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 100;
    CHECK(result_of(try_itself));
    pthread_create(&thread, 0, answer, 0);
    ONE_OF(pthread_timedjoin_np(thread, &found, &invalid), value == 0 || value == EINVAL);
    pthread_create(&thread, 0, answer, 0);
    ONE_OF(pthread_clockjoin_np(thread, &found, CLOCK_BOOTTIME, &limit), value == 0 || value == EINVAL);
    pthread_create(&thread, 0, answer, 0);
    ONE_OF(pthread_timedjoin_np(thread, &found, &limit), value == 0 || value == ETIMEDOUT);
    pthread_create(&thread, 0, answer, 0);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 100;
    ONE_OF(pthread_clockjoin_np(thread, &found, CLOCK_MONOTONIC, &limit), value == 0 || value == ETIMEDOUT);
    pthread_create(&thread, 0, answer, 0);
    nanosleep(&(struct timespec){0, 200000000}, 0);
    ONE_OF(pthread_tryjoin_np(thread, &found), value == 0 || value == EBUSY);
    END;
}
