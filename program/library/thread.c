/* Threads: a new one may run before its handle is stored. */
#include <pthread.h>

#include "model.h"

int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument)
{
    pthread_t created;
    (void)attributes;
    created = __mazurka_create(start, argument);
    *handle = created;
    return 0;
}
