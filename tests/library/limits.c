// functions: pthread_mutex_clocklock sem_clockwait pthread_cond_clockwait pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
// functions: pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_condattr_setclock pthread_condattr_getclock
// functions: pthread_condattr_setpshared pthread_condattr_getpshared
#include <semaphore.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_condattr_t attributes, never;
static sem_t semaphore, absent;
static const struct timespec past = {0, 0}, invalid = {0, -1};

static clockid_t clock_of(void)
{
    clockid_t clock = -1;
    pthread_condattr_getclock(&attributes, &clock);
    return clock;
}

static int is_shared(void)
{
    int shared = -1;
    pthread_condattr_getpshared(&attributes, &shared);
    return shared;
}

THREAD(read_for_a_while, pthread_rwlock_timedrdlock(&lock, &past))
THREAD(write_for_a_while, pthread_rwlock_timedwrlock(&lock, &past))
THREAD(read_until, pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past))
THREAD(write_until, pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past))
THREAD(write_invalid, pthread_rwlock_timedwrlock(&lock, &invalid))

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);

    CHECK(pthread_condattr_init(&attributes));
    CHECK(clock_of());
    CHECK(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    CHECK(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID));
    CHECK(pthread_condattr_setclock(&attributes, 77));
    CHECK(clock_of());
    CHECK(is_shared());
    CHECK(pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    CHECK(pthread_condattr_setpshared(&attributes, 2));
    CHECK(is_shared());
    CHECK(clock_of());
    CHECK(pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE));
    CHECK(pthread_cond_init(&condition, &attributes));
    UNDEFINED(pthread_condattr_setclock(&never, CLOCK_REALTIME));
    UNDEFINED(pthread_condattr_setpshared(&never, 0));

    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&condition, &mutex, &now));
    CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &now));
    CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &past));
    CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_BOOTTIME, &past));
    CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &invalid));
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &now));
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &past));
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &past));
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &invalid));
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));

    sem_init(&semaphore, 0, 1);
    CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
    CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &now));
    CHECK(errno);
    CHECK(sem_clockwait(&semaphore, CLOCK_BOOTTIME, &now));
    CHECK(errno);
    UNDEFINED(sem_clockwait(&absent, CLOCK_REALTIME, &past));

    CHECK(result_of(read_for_a_while));
    CHECK(result_of(read_until));
    CHECK(result_of(write_for_a_while));
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    CHECK(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &past));
    CHECK(pthread_rwlock_timedrdlock(&lock, &past));
    CHECK(result_of(read_until));
    CHECK(result_of(write_until));
    CHECK(result_of(write_invalid));
    CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_BOOTTIME, &past));
    END;
}
