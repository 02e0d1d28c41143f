/* Attribute objects start with a word that says whether they are initialised. Zero bytes are not: attributes have no static
   initialiser. */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "model.h"

enum { NO_ATTRIBUTES = 0, ATTRIBUTES = 1 };

/* Null stands for the default attributes. */
static inline void require_attributes(const void *attributes)
{
    if (attributes)
        __mazurka_undefined_unless(*(const int *)attributes == ATTRIBUTES, "use of attributes that are not initialised");
}

#endif
