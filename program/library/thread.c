/* Threads: a new one may run before its handle is stored. */
#include <pthread.h>

#include "attributes.h"
#include "model.h"

int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument)
{
    require_attributes(attributes);
    pthread_t created = __mazurka_create(start, argument);
    if (attributes && ((const struct thread_attributes *)attributes)->detached)
        pthread_detach(created);
    *handle = created;
    return 0;
}
