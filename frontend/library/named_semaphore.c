/* Named semaphores. An earlier process of the same user may have left one; nobody else uses the names while the program runs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>

#include "error_number.h"
#include "model.h"
#include "semaphore_content.h"

enum { NO_ENTRY = 2, EXISTS = 17 };

/* How many names a program may use, counted from 1, and how often semaphores may be made and mapped. */
enum { NAMES = 8, SEMAPHORES = 8, MAPPINGS = 8 };

/* The number of a constant string among the names; 0 if no semaphore can be called so. Leading slashes do not count. */
extern unsigned __mazurka_sem_number(const char *);

/* What has a name: nothing, what an earlier process left, or one of `semaphores`, counted from FIRST. */
enum { NOTHING = 0, LEFT = 1, FIRST = 2 };

static unsigned char named[NAMES + 1];
static _Bool is_known[NAMES + 1];

/* A semaphore lies in memory of its own while the program has opened it. When it is opened again, that is other memory, so that a use of the
   old one is seen. */
static struct {
    unsigned content; /* while it is not opened */
    unsigned opened;
    unsigned char mapping;
} semaphores[SEMAPHORES];
static unsigned semaphore_count;
static unsigned char mapped[MAPPINGS]; /* 1 more than the number of the semaphore there */
static unsigned mapping_count;
static sem_t memory_0, memory_1, memory_2, memory_3, memory_4, memory_5, memory_6, memory_7;

static sem_t *memory(unsigned mapping)
{
    switch (mapping) {
    case 0:
        return &memory_0;
    case 1:
        return &memory_1;
    case 2:
        return &memory_2;
    case 3:
        return &memory_3;
    case 4:
        return &memory_4;
    case 5:
        return &memory_5;
    case 6:
        return &memory_6;
    default:
        return &memory_7;
    }
}

/* These have names by which their accesses are known to be operations on a semaphore. */
unsigned __mazurka_sem_content(const sem_t *);
void __mazurka_sem_fill(sem_t *, unsigned);

unsigned __mazurka_sem_content(const sem_t *object)
{
    return *(const unsigned *)object;
}

void __mazurka_sem_fill(sem_t *object, unsigned content)
{
    *(unsigned *)object = content;
}

/* The mapping at an address; MAPPINGS if none is there now. */
static unsigned mapping_at(const sem_t *object)
{
    for (unsigned mapping = 0; mapping < MAPPINGS; mapping++)
        if (mapping < mapping_count && object == memory(mapping) && mapped[mapping] != 0)
            return mapping;
    return MAPPINGS;
}

_Bool __mazurka_sem_is_named(const sem_t *object)
{
    return mapping_at(object) < MAPPINGS;
}

/* Whether an earlier process has left one is seen when the program first mentions the name. */
static void look(unsigned name)
{
    if (!is_known[name]) {
        is_known[name] = 1;
        named[name] = __VERIFIER_nondet_bool() ? LEFT : NOTHING;
    }
}

/* Gives a new semaphore the name, if there is room. */
static void make(unsigned name, unsigned content)
{
    if (semaphore_count == SEMAPHORES)
        return;
    semaphores[semaphore_count].content = content;
    named[name] = (unsigned char)(FIRST + semaphore_count++);
}

/* The memory of an opened semaphore; NULL if there is no room. */
static sem_t *map(unsigned number)
{
    if (semaphores[number].opened == 0) {
        if (mapping_count == MAPPINGS)
            return NULL;
        __mazurka_sem_fill(memory(mapping_count), semaphores[number].content);
        mapped[mapping_count] = (unsigned char)(number + 1);
        semaphores[number].mapping = (unsigned char)mapping_count++;
    }
    semaphores[number].opened++;
    return memory(semaphores[number].mapping);
}

/* Opens what has the name, or makes it. Leaves NULL if there is no room for that, and returns why it fails, or 0. */
static int open_named(unsigned name, int flags, unsigned value, sem_t **opened)
{
    int error = 0;
    if (named[name] == NOTHING) {
        if (!(flags & O_CREAT))
            error = NO_ENTRY;
        else if (value > GREATEST_VALUE)
            error = INVALID;
        else
            make(name, ZERO + value);
    } else if ((flags & O_CREAT) && (flags & O_EXCL)) {
        error = EXISTS;
    } else if (named[name] == LEFT) {
        make(name, ZERO + (unsigned)(__mazurka_unknown_int() & GREATEST_VALUE));
    }
    if (error == 0 && named[name] >= FIRST)
        *opened = map(named[name] - FIRST);
    return error;
}

static sem_t *fail_to_open(int error)
{
    *__errno_location() = error;
    return SEM_FAILED;
}

/* It may always fail, as what it needs is not the program's alone. */
sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    int error = 0;
    sem_t *opened = NULL;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        (void)va_arg(rest, mode_t);
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    unsigned number = __mazurka_sem_number(name);
    if (number == 0)
        return fail_to_open(INVALID);
    if (__VERIFIER_nondet_bool())
        return fail_to_open(1 + (__mazurka_unknown_char() & 127));
    __VERIFIER_atomic_begin();
    look(number);
    error = open_named(number, flags, value, &opened);
    __VERIFIER_atomic_end();
    if (error)
        return fail_to_open(error);
    if (!opened)
        __mazurka_unsupported("more than 8 semaphores with names, or more than 8 that are opened");
    return opened;
}

int sem_close(sem_t *object)
{
    USE(object);
    __VERIFIER_atomic_begin();
    unsigned mapping = mapping_at(object);
    __mazurka_undefined_unless(mapping < MAPPINGS, "close of what is no open semaphore with a name");
    unsigned number = mapped[mapping] - 1u;
    if (--semaphores[number].opened == 0) {
        semaphores[number].content = __mazurka_sem_content(object);
        __mazurka_sem_fill(object, NO_SEMAPHORE);
        mapped[mapping] = 0;
    }
    __VERIFIER_atomic_end();
    return 0;
}

/* Those that have opened the semaphore keep it. */
int sem_unlink(const char *name)
{
    unsigned number = __mazurka_sem_number(name);
    if (number == 0)
        return fail(NO_ENTRY);
    __VERIFIER_atomic_begin();
    look(number);
    _Bool is_there = named[number] != NOTHING;
    named[number] = NOTHING;
    __VERIFIER_atomic_end();
    return is_there ? 0 : fail(NO_ENTRY);
}
