/* Thread-specific data, and comparing thread handles. */
#include <pthread.h>

#include "model.h"

/* How many keys a program may create. Each has a slot for its values that no other key ever has, so a key never shows values of
   one that was deleted; its number may be that of a deleted one. */
enum { KEYS = 16 };

#define NO_KEY "use of a key that does not exist"

static unsigned keys;               /* ever created */
static unsigned numbers;            /* ever used: those below may be a key's */
static unsigned char slots[KEYS];   /* 1 more than the slot of the key with a number; 0 if it is deleted or was never created */
static _Thread_local const void *values[KEYS];
static void (*destructors[KEYS])(void *);   /* by slots; of deleted keys null */

/* A number of a deleted key, or the next one. */
static unsigned choose_number(void)
{
    if (__mazurka_is_used("pthread_key_delete"))
        for (unsigned number = 0; number < KEYS; number++)
            if (number < numbers && slots[number] == 0 && __VERIFIER_nondet_bool())
                return number;
    return numbers++;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    unsigned number = KEYS;
    __VERIFIER_atomic_begin();
    if (keys < KEYS) {
        number = choose_number();
        if (__mazurka_is_used("__mazurka_run_destructors"))
            destructors[keys] = destructor;
        slots[number] = (unsigned char)++keys;
    }
    __VERIFIER_atomic_end();
    if (number >= KEYS)
        __mazurka_unsupported("more than 16 keys of thread-specific data");
    *key = number;
    return 0;
}

int pthread_key_delete(pthread_key_t key)
{
    int result = INVALID;
    _Bool may_others_lead = __mazurka_thread() != 1 || __mazurka_is_used("pthread_exit");
    __VERIFIER_atomic_begin();
    if (key < KEYS && slots[key] != 0) {
        if (__mazurka_are_leaks_looked_for())
            values[slots[key] - 1] = NULL;
        if (__mazurka_is_used("__mazurka_run_destructors"))
            destructors[slots[key] - 1] = NULL;
        slots[key] = 0;
        result = 0;
    }
    __VERIFIER_atomic_end();
    if (__mazurka_are_leaks_looked_for() && may_others_lead)
        __mazurka_unsupported("a deleted key whose values other threads have, where leaks are looked for");
    return result;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    unsigned slot = key < KEYS ? slots[key] : 0;
    if (slot == 0)
        return INVALID;
    values[slot - 1] = value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    __mazurka_undefined_unless(key < KEYS, NO_KEY);
    unsigned slot = slots[key];
    __mazurka_undefined_unless(slot != 0, NO_KEY);
    return (void *)values[slot - 1];
}

/* PTHREAD_DESTRUCTOR_ITERATIONS: after so many rounds an implementation may go on or stop. */
enum { ROUNDS = 4 };

/* Whether one of the first slots holds a value of the thread that has a destructor. */
static _Bool is_any_left(unsigned count)
{
    for (unsigned slot = 0; slot < KEYS && slot < count; slot++)
        if (values[slot] && destructors[slot])
            return 1;
    return 0;
}

/* Any of the first slots that was not visited; KEYS if all were. */
static unsigned choose_slot(unsigned count, unsigned visited)
{
    unsigned chosen = KEYS;
    for (unsigned slot = 0; slot < KEYS && slot < count; slot++)
        if (!(visited >> slot & 1) && (chosen == KEYS || __VERIFIER_nondet_bool()))
            chosen = slot;
    return chosen;
}

/* Visits the slots in any order. A value counts if it is there when its slot is visited. Keys that a destructor creates are visited in
   the same round or in the next one. */
static void run_round(unsigned count)
{
    unsigned visited = 0, slot;
    while ((slot = choose_slot(keys, visited)) < KEYS) {
        if (slot >= count && __VERIFIER_nondet_bool()) {
            visited |= 1u << slot;
            continue;
        }
        void *value = (void *)values[slot];
        void (*destructor)(void *) = destructors[slot];
        visited |= 1u << slot;
        if (value && destructor) {
            values[slot] = NULL;
            __mazurka_destroy(destructor, value);
        }
    }
}

/* The thread is about to end. */
void __mazurka_run_destructors(void)
{
    __mazurka_require_no_region("what the end of a thread runs, inside of an atomic region", 0);
    if (__mazurka_is_used("pthread_setcancelstate") || __mazurka_is_used("pthread_cancel"))
        __mazurka_begin_end();
    unsigned round = 0, count;
    while (is_any_left(count = keys) && (round < ROUNDS || __VERIFIER_nondet_bool())) {
        run_round(count);
        if (round < ROUNDS)
            round++;
    }
}

#undef pthread_equal
int pthread_equal(pthread_t first, pthread_t second)
{
    return first == second;
}
