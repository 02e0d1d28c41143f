/* The four bytes of attributes of condition variables: whether they are initialised, and what they say. */
#ifndef CONDITION_ATTRIBUTES_H
#define CONDITION_ATTRIBUTES_H

#include <pthread.h>

#include "attributes.h"

enum { IS_MONOTONIC = 2, IS_SHARED = 4 };

static inline _Bool are_condition_attributes(int content)
{
    return (content & ~(IS_MONOTONIC | IS_SHARED)) == ATTRIBUTES;
}

/* What attributes hold that must be initialised. */
static inline int content_of(const pthread_condattr_t *attributes)
{
    int content = *(const int *)attributes;
    __mazurka_undefined_unless(are_condition_attributes(content), "use of attributes that are not initialised");
    return content;
}

/* By which clock limits are meant. */
static inline clockid_t clock_of(const pthread_condattr_t *attributes)
{
    return content_of(attributes) & IS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

#endif
