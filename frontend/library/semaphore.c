/* Semaphores. */
#define _GNU_SOURCE
#include "error_number.h"
#include "model.h"
#include "semaphore_content.h"
#include "timed.h"

#define NOT_INITIALISED "use of a semaphore that is not initialised"

int sem_init(sem_t *object, int shared, unsigned value)
{
    (void)shared;
    if (value > GREATEST_VALUE)
        return fail(INVALID);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(!IS_NAMED(object), "initialisation of a semaphore with a name");
    REACH_END(object);
    *(unsigned *)object = ZERO + value;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_destroy(sem_t *object)
{
    unsigned *semaphore = (unsigned *)object;
    USE(semaphore);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*semaphore != NO_SEMAPHORE, NOT_INITIALISED);
    __mazurka_lock_misuse_unless(!IS_NAMED(object), "destruction of a semaphore with a name");
    *semaphore = NO_SEMAPHORE;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_post(sem_t *object)
{
    unsigned *semaphore = (unsigned *)object;
    int posted = 0;
    USE(semaphore);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*semaphore != NO_SEMAPHORE, NOT_INITIALISED);
    LET_GO;
    if (*semaphore < ZERO + (unsigned)GREATEST_VALUE) {
        ++*semaphore;
        posted = 1;
    }
    __VERIFIER_atomic_end();
    return posted ? 0 : fail(TOO_LARGE);
}

/* A semaphore is in use while a thread waits. */
int sem_wait(sem_t *object)
{
    unsigned *semaphore = (unsigned *)object;
    _Bool is_watched;
    USE(semaphore);
    if (__mazurka_are_watched()) {
        __VERIFIER_atomic_begin();
        is_watched = *semaphore == ZERO && __mazurka_hold(semaphore);
        __VERIFIER_atomic_end();
    }
    MAY_WAIT_FOR_GOOD(*semaphore == ZERO && !IS_CANCELLED, 0)
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*semaphore != NO_SEMAPHORE, NOT_INITIALISED);
    WAIT_UNTIL(*semaphore != ZERO);
    --*semaphore;
    if (__mazurka_are_watched() && is_watched)
        __mazurka_release(semaphore);
    __VERIFIER_atomic_end();
    return 0;
}

/* Has a name by which its accesses are known to be those of an operation on a semaphore. */
_Bool __mazurka_sem_take(sem_t *);

_Bool __mazurka_sem_take(sem_t *object)
{
    unsigned *semaphore = (unsigned *)object;
    int taken = 0;
    USE(semaphore);
    __VERIFIER_atomic_begin();
    __mazurka_lock_misuse_unless(*semaphore != NO_SEMAPHORE, NOT_INITIALISED);
    if (*semaphore != ZERO && !COMES_ABOUT) {
        --*semaphore;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    return taken;
}

int sem_trywait(sem_t *object)
{
    return __mazurka_sem_take(object) ? 0 : fail(TRY_AGAIN);
}

/* The limit counts only if the semaphore cannot be taken at once; an invalid one may be noticed all the same. */
int sem_clockwait(sem_t *restrict object, clockid_t clock, const struct timespec *restrict limit)
{
    if (!has_limits(clock))
        return fail(INVALID);
    if (!is_valid_time(limit) && __VERIFIER_nondet_bool())
        return fail(INVALID);
    if (__mazurka_sem_take(object))
        return 0;
    if (!is_valid_time(limit))
        return fail(INVALID);
    if (times_out(clock, limit))
        return fail(TIMED_OUT);
    int result;
    WITH_LIMIT(result, sem_wait(object));
    return result;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict limit)
{
    return sem_clockwait(semaphore, CLOCK_REALTIME, limit);
}

int sem_getvalue(sem_t *restrict object, int *restrict value)
{
    unsigned content = *(const unsigned *)object;
    USE(object);
    __mazurka_lock_misuse_unless(content != NO_SEMAPHORE, NOT_INITIALISED);
    if (COMES_ABOUT)
        content = ZERO + (unsigned)(__VERIFIER_nondet_int() & GREATEST_VALUE);
    *value = (int)(content - ZERO);
    return 0;
}
