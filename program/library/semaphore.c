/* Semaphores, and errno, by which they report. */
#include <semaphore.h>

#include "model.h"

static _Thread_local int error_number;

int *__errno_location(void)
{
    return &error_number;
}

static int fail(int error)
{
    error_number = error;
    return -1;
}

int sem_init(sem_t *object, int shared, unsigned value)
{
    (void)shared;
    *(unsigned *)object = value;
    return 0;
}

int sem_destroy(sem_t *object)
{
    (void)object;
    return 0;
}

int sem_post(sem_t *object)
{
    unsigned *value = (unsigned *)object;
    __VERIFIER_atomic_begin();
    __mazurka_undefined_unless(*value < INT32_MAX);
    ++*value;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_wait(sem_t *object)
{
    unsigned *value = (unsigned *)object;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*value != 0);
    --*value;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_trywait(sem_t *object)
{
    unsigned *value = (unsigned *)object;
    int taken = 0;
    __VERIFIER_atomic_begin();
    if (*value != 0) {
        --*value;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    return taken ? 0 : fail(TRY_AGAIN);
}

int sem_timedwait(sem_t *restrict object, const struct timespec *restrict limit)
{
    (void)limit;
    if (__VERIFIER_nondet_int())
        return fail(TIMED_OUT);
    return sem_wait(object);
}

int sem_getvalue(sem_t *restrict object, int *restrict value)
{
    *value = *(int *)object;
    return 0;
}
