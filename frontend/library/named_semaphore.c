/* Semaphores with names. Which there are when the program starts, with which values, is input; nothing outside uses them while it runs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

#include "error_number.h"
#include "model.h"

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int strcmp(const char *, const char *);
extern size_t strlen(const char *);
extern char *strcpy(char *restrict, const char *restrict);

/* So many names, that are so long with the zero byte, and so many semaphores. */
enum { NAMES = 4, LONGEST = 16, SEMAPHORES = 4 };

static const int GREATEST_VALUE = INT32_MAX;

enum { NONE = -1, NOT_KNOWN = -2 };

static struct {
    char text[LONGEST];
    int semaphore; /* that it stands for, if it is known and there is one */
} names[NAMES];

static struct {
    unsigned users; /* how often it is open */
    int kept;       /* its value while it is not open */
    sem_t semaphore;
} all[SEMAPHORES];

static int count_names, count;

/* Reasons beside those that the program sees itself. */
static const int REASONS[] = {EACCES, EMFILE, ENFILE, ENOMEM};

static sem_t *fail_to_open(int error)
{
    *__errno_location() = error;
    return SEM_FAILED;
}

static int make(int value)
{
    if (count == SEMAPHORES)
        __mazurka_unsupported("more than 4 named semaphores");
    all[count].kept = value;
    return count++;
}

/* The entry of a name. */
static int find(const char *name)
{
    for (int index = 0; index < count_names; index++)
        if (strcmp(names[index].text, name) == 0)
            return index;
    if (count_names == NAMES || strlen(name) >= LONGEST)
        __mazurka_unsupported("more than 4 names of semaphores, or one of more than 15 bytes");
    strcpy(names[count_names].text, name);
    names[count_names].semaphore = NOT_KNOWN;
    return count_names++;
}

static sem_t *open_again(int index)
{
    if (all[index].users++ == 0)
        sem_init(&all[index].semaphore, 1, all[index].kept);
    return &all[index].semaphore;
}

/* Behind the flags come the mode and the value, if it may be created. */
sem_t *sem_open(const char *name, int flags, ...)
{
    sem_t *opened;
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        (void)va_arg(list, mode_t);
        value = va_arg(list, unsigned);
        va_end(list);
    }
    __VERIFIER_atomic_begin();
    int entry = find(name);
    if (names[entry].semaphore == NOT_KNOWN)
        names[entry].semaphore = __VERIFIER_nondet_bool() ? make((int)(__VERIFIER_nondet_uint() & GREATEST_VALUE)) : NONE;
    int index = names[entry].semaphore;
    if (__VERIFIER_nondet_bool()) {
        opened = fail_to_open(REASONS[__VERIFIER_nondet_uchar() % 4]);
    } else if (index >= 0) {
        opened = (flags & O_CREAT) && (flags & O_EXCL) ? fail_to_open(EEXIST) : open_again(index);
    } else if (!(flags & O_CREAT)) {
        opened = fail_to_open(ENOENT);
    } else if (value > (unsigned)GREATEST_VALUE) {
        opened = fail_to_open(EINVAL);
    } else {
        index = make((int)value);
        names[entry].semaphore = index;
        opened = open_again(index);
    }
    __VERIFIER_atomic_end();
    return opened;
}

int sem_close(sem_t *semaphore)
{
    int index = 0;
    __VERIFIER_atomic_begin();
    while (index < count && &all[index].semaphore != semaphore)
        index++;
    __mazurka_undefined_unless(index < count && all[index].users > 0, "closing of a semaphore that is not open");
    if (--all[index].users == 0) {
        sem_getvalue(semaphore, &all[index].kept);
        sem_destroy(semaphore);
    }
    __VERIFIER_atomic_end();
    return 0;
}

/* What the program may not remove, it could not open either. */
int sem_unlink(const char *name)
{
    __VERIFIER_atomic_begin();
    int entry = find(name);
    int index = names[entry].semaphore;
    names[entry].semaphore = NONE;
    __VERIFIER_atomic_end();
    return index == NONE || (index == NOT_KNOWN && __VERIFIER_nondet_bool()) ? fail(ENOENT) : 0;
}
