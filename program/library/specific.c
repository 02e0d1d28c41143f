/* Thread-specific data, and comparing thread handles. */
#include <pthread.h>

#include "model.h"

enum { KEYS = 16 };

static unsigned next_key;
static _Thread_local const void *values[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    unsigned number;
    if (destructor)
        __mazurka_unsupported("destructor of thread-specific data");
    __VERIFIER_atomic_begin();
    number = next_key++;
    __VERIFIER_atomic_end();
    if (number >= KEYS)
        __mazurka_unsupported("more than 16 keys of thread-specific data");
    *key = number;
    return 0;
}

/* The value stays: numbers of deleted keys are not used again. */
int pthread_key_delete(pthread_key_t key)
{
    return key < KEYS ? 0 : INVALID;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= KEYS)
        return INVALID;
    values[key] = value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return key < KEYS ? (void *)values[key] : NULL;
}

#undef pthread_equal
int pthread_equal(pthread_t first, pthread_t second)
{
    return first == second;
}
