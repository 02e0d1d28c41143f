/* On which processors threads run. Nothing depends on it, and whether Linux allows it is not known. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "error_number.h"
#include "model.h"

static void look_at(const void *set, size_t size)
{
    if (size > 0)
        (void)((const volatile char *)set)[size - 1];
}

/* A set that is asked for holds anything; where the call fails it may keep what it held. */
static int get(unsigned char *set, size_t size)
{
    for (size_t index = 0; index < size; index++)
        set[index] = (unsigned char)__mazurka_unknown_int();
    return __mazurka_unknown_int();
}

/* How many processors a set has. */
int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    const unsigned char *bytes = (const unsigned char *)set;
    int count = 0;
    for (size_t index = 0; index < size; index++)
        for (unsigned char rest = bytes[index]; rest != 0; rest &= rest - 1)
            count++;
    return count;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    (void)thread;
    look_at(set, size);
    return __mazurka_unknown_int();
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    (void)thread;
    return get((unsigned char *)set, size);
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    (void)process;
    look_at(set, size);
    return succeed_or_fail();
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    (void)get((unsigned char *)set, size);
    return succeed_or_fail();
}
