// functions: pthread_create pthread_join pthread_exit pthread_self pthread_equal pthread_detach
// functions: sched_yield pthread_yield sleep usleep nanosleep
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

/* A C library of 2021 no longer has it. */
#ifdef NATIVE
#define pthread_yield sched_yield
#else
int pthread_yield(void);
#endif

static pthread_t first;

static void *leave(void *value)
{
    pthread_exit(value);
}

static void *detach_itself(void *unused)
{
    (void)unused;
    return (void *)(long)pthread_detach(pthread_self());
}

THREAD(is_first, pthread_equal(first, pthread_self()) != 0)

int main(void)
{
    pthread_t thread;
    void *result = 0;
    first = pthread_self();
    CHECK(pthread_equal(first, pthread_self()) != 0);
    CHECK(result_of(is_first));
    CHECK(pthread_create(&thread, 0, leave, (void *)77));
    CHECK(pthread_equal(first, thread));
    CHECK(pthread_join(thread, &result));
    CHECK(result);
    CHECK(pthread_create(&thread, 0, leave, 0));
    CHECK(pthread_detach(thread));
    CHECK(pthread_create(&thread, 0, detach_itself, 0));
    CHECK(sched_yield());
    CHECK(pthread_yield());
    UNKNOWN(sleep(0));
    UNKNOWN(usleep(1));
    struct timespec moment = {0, 1};
    CHECK(nanosleep(&moment, 0));
    moment.tv_nsec = 1000000000;
    CHECK(nanosleep(&moment, 0));
    CHECK(errno);
    moment = (struct timespec){-1, 0};
    CHECK(nanosleep(&moment, 0));
    NEVER_RETURNS(pthread_exit(0));
    END;
}
