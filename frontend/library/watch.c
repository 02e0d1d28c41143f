/* Locks that a program may write over while they are in use, or copy then. One lock that is in use is watched, and one that was copied
   while it was: any of them, so what holds of these two holds of all. A lock is named by the address of the word that says
   whether it is in use. */
#include <pthread.h>
#include <stdlib.h>

#include "model.h"
#include "mutex_kind.h"
#include "mutex_layout.h"

/* Null if no lock is watched. What writes over a lock, and initialises one, looks at these. */
const volatile void *__mazurka_lock_in_use;
const volatile void *__mazurka_lock_copied;

/* From now on the lock is in use. Returns whether it is watched. */
_Bool __mazurka_hold(const volatile void *lock)
{
    _Bool is_watched = 0;
    __VERIFIER_atomic_begin();
    if (!__mazurka_lock_in_use && __mazurka_choose()) {
        __mazurka_lock_in_use = lock;
        is_watched = 1;
    }
    __VERIFIER_atomic_end();
    return is_watched;
}

/* The lock is no longer in use. */
void __mazurka_release(const volatile void *lock)
{
    __VERIFIER_atomic_begin();
    if (__mazurka_lock_in_use == lock)
        __mazurka_lock_in_use = NULL;
    __VERIFIER_atomic_end();
}

void __mazurka_require_original(const volatile void *lock)
{
    __mazurka_lock_misuse_unless(__mazurka_lock_copied != lock, "use of a copy of a lock that was in use");
}

/* What was copied into memory that ends is no lock any more. Another object may take its place, and is no copy. */
void __mazurka_free(void *object)
{
    __VERIFIER_atomic_begin();
    const volatile void *copied = __mazurka_lock_copied;
    if (copied && object && __mazurka_object((const void *)copied) == __mazurka_object(object))
        __mazurka_lock_copied = NULL;
    __VERIFIER_atomic_end();
    free(object);
}

/* Whether the thread has to wait for a mutex. */
static _Bool has_to_wait_for_mutex(const struct mutex *mutex)
{
    int kind = mutex->kind & KIND_MASK;
    _Bool goes_on = mutex->owner == (int)__mazurka_thread() && (kind == RECURSIVE || kind == ERROR_CHECK);
    return mutex->owner != 0 && !goes_on;
}

/* These three stand for the functions that the checker knows itself. The watch ends before the mutex is free, and starts when it is
   held: whoever writes over the mutex in between could as well do so meanwhile. */
int __mazurka_mutex_lock(pthread_mutex_t *object)
{
    struct mutex *mutex = (struct mutex *)object;
    int error = 0;
    USE(&mutex->owner);
    WAIT_OR(error = pthread_mutex_lock(object), has_to_wait_for_mutex(mutex), (unsigned)mutex->owner)
    if (!error)
        (void)HOLD(&mutex->owner);
    return error;
}

int __mazurka_mutex_trylock(pthread_mutex_t *object)
{
    struct mutex *mutex = (struct mutex *)object;
    USE(&mutex->owner);
    int error = pthread_mutex_trylock(object);
    if (!error)
        (void)HOLD(&mutex->owner);
    return error;
}

int __mazurka_mutex_unlock(pthread_mutex_t *object)
{
    struct mutex *mutex = (struct mutex *)object;
    int error;
    USE(&mutex->owner);
    if (__mazurka_are_watched() && mutex->owner == (int)__mazurka_thread() && mutex->count == 0)
        __mazurka_release(&mutex->owner);
    if (!__mazurka_are_deadlocks_looked_for())
        return pthread_mutex_unlock(object);
    __VERIFIER_atomic_begin();
    __mazurka_let_go();
    error = pthread_mutex_unlock(object);
    __VERIFIER_atomic_end();
    return error;
}
