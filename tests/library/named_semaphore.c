// functions: sem_open sem_close sem_unlink
#include <fcntl.h>
#include <semaphore.h>

#include "check.h"

static int value_of(sem_t *object)
{
    int value = -1;
    sem_getvalue(object, &value);
    return value;
}

static sem_t local;

int main(void)
{
    const char *name = "/mazurka-test";
    char *nothing = 0;
    sem_t *first, *second;
    ONE_OF(sem_unlink(name), value == 0 || value == -1);
    ONE_OF(sem_open(name, O_CREAT, 0600, 0x80000000u) == SEM_FAILED, value == 1);
    first = sem_open(name, O_CREAT | O_EXCL, 0600, 3);
    if (first == SEM_FAILED)
        return 0;
    CHECK(value_of(first));
    CHECK(sem_open(name, O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED);
    second = sem_open(name, O_CREAT, 0600, 5);
    if (second == SEM_FAILED)
        return 0;
    CHECK(second == first);
    CHECK(sem_wait(second));
    CHECK(value_of(first));
    CHECK(sem_close(second));
    CHECK(value_of(first));
    CHECK(sem_close(first));
    UNDEFINED(sem_close(first));
    UNDEFINED(sem_wait(first));
    UNDEFINED(sem_close(&local));
    UNDEFINED(sem_unlink(nothing));
    first = sem_open(name, 0);
    if (first == SEM_FAILED)
        return 0;
    CHECK(value_of(first));
    CHECK(sem_unlink(name));
    CHECK(sem_unlink(name));
    CHECK(errno);
    CHECK(sem_post(first));
    CHECK(value_of(first));
    CHECK(sem_open(name, 0) == SEM_FAILED);
    END;
}
