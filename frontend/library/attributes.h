/* Attribute objects start with a word that says whether they are initialised. Zero bytes are not: attributes have no static
   initialiser. */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "model.h"

enum { NO_ATTRIBUTES = 0, ATTRIBUTES = 1 };

struct thread_attributes {
    int status;     /* ATTRIBUTES if initialised */
    int detached;   /* 0 joinable, 1 detached */
    int scheduling; /* 0 inherited, 1 explicit */
    int policy;
    size_t stack; /* bytes; 0 for the system's default */
    _Bool has_guard;
    size_t guard; /* bytes behind the stack that cannot be accessed, if they were set */
};

/* Null stands for the default attributes. */
static inline void require_attributes(const void *attributes)
{
    if (attributes)
        __mazurka_undefined_unless(*(const int *)attributes == ATTRIBUTES, "use of attributes that are not initialised");
}

#endif
