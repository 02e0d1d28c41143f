// functions: sem_open sem_close sem_unlink
#include <fcntl.h>
#include <semaphore.h>
#include <stddef.h>

#include "check.h"

/* The model may fail to open a semaphore where Linux does not, so what comes behind is checked only where it has not. */
#define NAME "/mazurka-of-the-test"

int main(void)
{
    int value = -1;
    sem_unlink(NAME);
    CHECK(sem_unlink(NAME));
    CHECK(errno);
    sem_t *none = sem_open(NAME, 0);
    CHECK(none == SEM_FAILED);
    CHECK(sem_open("/with/another", O_CREAT, 0600, 1) == SEM_FAILED);
    CHECK(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED);
    CHECK(sem_open("", O_CREAT, 0600, 1) == SEM_FAILED);
    CHECK(sem_open(NAME, O_CREAT, 0600, 1u << 31) == SEM_FAILED);
    errno = 0;
    CHECK(sem_unlink("/with/another"));
    CHECK(sem_unlink(""));
    sem_t *first = sem_open(NAME, O_CREAT | O_EXCL, 0600, 3);
    if (first == SEM_FAILED)
        return 0;
    CHECK(sem_getvalue(first, &value));
    CHECK(value);
    CHECK(sem_wait(first));
    sem_t *again = sem_open(NAME, O_CREAT, 0600, 7);
    if (again == SEM_FAILED)
        return 0;
    CHECK(again == first);
    CHECK(sem_open(NAME, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    CHECK(sem_post(again));
    CHECK(sem_post(again));
    CHECK(sem_getvalue(first, &value));
    CHECK(value);
    CHECK(sem_close(again));
    CHECK(sem_trywait(first));
    CHECK(sem_unlink(NAME));
    CHECK(sem_trywait(first));
    sem_t *other = sem_open(NAME, O_CREAT | O_EXCL, 0600, 0);
    if (other == SEM_FAILED)
        return 0;
    CHECK(other == first);
    CHECK(sem_getvalue(other, &value));
    CHECK(value);
    CHECK(sem_post(other));
    CHECK(sem_close(other));
    other = sem_open(NAME, O_RDWR);
    if (other == SEM_FAILED)
        return 0;
    CHECK(sem_getvalue(other, &value));
    CHECK(value);
    CHECK(sem_unlink(NAME));
    CHECK(sem_close(first));
    UNDEFINED(sem_wait(first));
    UNDEFINED(sem_close(first));
    UNDEFINED(sem_destroy(other));
    UNDEFINED(sem_init(other, 0, 0));
    UNDEFINED(sem_wait(other + 1));
    UNDEFINED(sem_open(NAME, O_EXCL));
    UNDEFINED(*(volatile char *)first);
    UNDEFINED(sem_init(first, 0, 0));
    CHECK(sem_close(other));
    END;
}
