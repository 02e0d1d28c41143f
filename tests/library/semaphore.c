// functions: sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post sem_getvalue __errno_location
#include <limits.h>
#include <semaphore.h>
#include <time.h>

#include "check.h"

static sem_t semaphore, never;

static int value_of(sem_t *object)
{
    int value = -1;
    sem_getvalue(object, &value);
    return value;
}

THREAD(try, sem_trywait(&semaphore) == 0 ? 0 : errno)

int main(void)
{
    struct timespec past = {0, 0}, invalid = {0, 1000000000}, negative = {0, -1};

    UNDEFINED(sem_post(&never));
    UNDEFINED(sem_wait(&never));
    UNDEFINED(sem_trywait(&never));
    UNDEFINED(sem_timedwait(&never, &past));
    UNDEFINED(value_of(&never));
    UNDEFINED(sem_destroy(&never));

    CHECK(errno);
    CHECK(sem_init(&semaphore, 0, (unsigned)INT_MAX + 1));
    CHECK(errno);
    CHECK(sem_init(&semaphore, 0, 1));
    CHECK(*__errno_location());
    CHECK(value_of(&semaphore));
    CHECK(sem_wait(&semaphore));
    CHECK(value_of(&semaphore));
    CHECK(sem_trywait(&semaphore));
    CHECK(errno);
    CHECK(result_of(try));
    CHECK(sem_timedwait(&semaphore, &past));
    CHECK(errno);
    CHECK(sem_timedwait(&semaphore, &invalid));
    CHECK(errno);
    CHECK(sem_timedwait(&semaphore, &negative));
    CHECK(errno);
    CHECK(sem_post(&semaphore));
    ONE_OF(sem_timedwait(&semaphore, &invalid), value == 0 || value == -1);
    while (sem_trywait(&semaphore) == 0) {
    }
    CHECK(sem_post(&semaphore));
    CHECK(result_of(try));
    NEVER_RETURNS(sem_wait(&semaphore));
    CHECK(sem_destroy(&semaphore));
    UNDEFINED(sem_post(&semaphore));
    UNDEFINED(sem_wait(&semaphore));
    UNDEFINED(sem_trywait(&semaphore));
    UNDEFINED(value_of(&semaphore));
    UNDEFINED(sem_destroy(&semaphore));

    CHECK(sem_init(&semaphore, 1, INT_MAX));
    CHECK(value_of(&semaphore));
    CHECK(sem_post(&semaphore));
    CHECK(errno);
    END;
}
