/* Attribute objects start with a word that says whether they are initialised. Zero bytes are not: attributes have no static
   initialiser. */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "model.h"

/* Besides, whether other processes use the object, and which threads a read-write lock prefers. */
enum { NO_ATTRIBUTES = 0, ATTRIBUTES = 1, OF_PROCESSES = 2, PREFERENCE = 4, PREFERENCES = 3 * PREFERENCE };

struct thread_attributes {
    int status;     /* ATTRIBUTES if initialised */
    int detached;   /* 0 joinable, 1 detached */
    int scheduling; /* 0 inherited, 1 explicit */
    int policy;
    int priority;
    _Bool has_guard;
    size_t guard; /* bytes behind the stack that cannot be accessed, if they were set */
    size_t stack; /* bytes; 0 for the system's default */
    char *stack_end; /* null for the system's default */
};

static inline _Bool are_attributes(int status)
{
    return (status & ~(OF_PROCESSES | PREFERENCES)) == ATTRIBUTES;
}

/* Null stands for the default attributes. */
static inline void require_attributes(const void *attributes)
{
    if (attributes)
        __mazurka_undefined_unless(are_attributes(*(const int *)attributes), "use of attributes that are not initialised");
}

#endif
