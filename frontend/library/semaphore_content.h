/* What the memory of a semaphore holds. */
#ifndef SEMAPHORE_CONTENT_H
#define SEMAPHORE_CONTENT_H

#include <semaphore.h>
#include <stdint.h>

/* SEM_VALUE_MAX of glibc. */
enum { GREATEST_VALUE = INT32_MAX };

/* A semaphore is 0 if it is not initialised, and else 1 more than its value. */
enum { NO_SEMAPHORE = 0, ZERO = 1 };

/* Whether it has a name, and may not be initialised or destroyed. */
extern _Bool __mazurka_sem_is_named(const sem_t *);

#define IS_NAMED(semaphore) (__mazurka_is_used("sem_open") && __mazurka_sem_is_named(semaphore))

#endif
