/* Named semaphores. An earlier process of the same user may have left one; nobody else uses the names while the program runs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

#include "error_number.h"
#include "model.h"
#include "semaphore_content.h"

enum { NO_ENTRY = 2, EXISTS = 17 };

/* How many names a program may use, counted from 1, and how often semaphores may be made. */
enum { NAMES = 8, SEMAPHORES = 8 };

/* The number of a constant string among the names; 0 if no semaphore can be called so. Leading slashes do not count. */
extern unsigned __mazurka_sem_number(const char *);

/* What has a name: nothing, what an earlier process left, or one of `semaphores`, counted from FIRST. */
enum { NOTHING = 0, LEFT = 1, FIRST = 2 };

static unsigned char named[NAMES + 1];
static _Bool is_known[NAMES + 1];

/* A semaphore lies in memory of its own while the program has opened it. HEADER bytes before it begin that memory, so that it is none
   that `free` takes. */
static struct {
    unsigned content; /* while it is not opened */
    unsigned opened;
    sem_t *memory;    /* null while it is not opened */
} semaphores[SEMAPHORES];
static unsigned semaphore_count;

enum { HEADER = 16 };

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

/* The opened semaphore at an address; SEMAPHORES if none is there. */
static unsigned number_at(const sem_t *object)
{
    for (unsigned number = 0; number < SEMAPHORES; number++)
        if (number < semaphore_count && semaphores[number].opened != 0 && object == semaphores[number].memory)
            return number;
    return SEMAPHORES;
}

_Bool __mazurka_sem_is_named(const sem_t *object)
{
    return number_at(object) < SEMAPHORES;
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

static sem_t *map(unsigned number)
{
    if (semaphores[number].opened++ == 0) {
        char *memory = malloc(HEADER + sizeof(sem_t));
        semaphores[number].memory = (sem_t *)(memory + HEADER);
        __mazurka_sem_fill(semaphores[number].memory, semaphores[number].content);
    }
    return semaphores[number].memory;
}

/* Opens what has the name, or makes it. Leaves NULL if there is no room, and returns why it fails, or 0. */
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

/* It may always fail, as what it needs is not the program's alone. Access modes do not matter. What it has made may leave an error number,
   because it has looked before whether it is there. */
sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    int error = 0;
    sem_t *opened = NULL;
    if (flags & ~(O_CREAT | O_EXCL | O_ACCMODE))
        __mazurka_unsupported("flags of sem_open beside O_CREAT, O_EXCL and the mode of access");
    __mazurka_undefined_unless((flags & O_CREAT) || !(flags & O_EXCL), "O_EXCL without O_CREAT");
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
        return fail_to_open(some_error());
    __VERIFIER_atomic_begin();
    look(number);
    error = open_named(number, flags, value, &opened);
    __VERIFIER_atomic_end();
    if (error)
        return fail_to_open(error);
    if (!opened)
        __mazurka_unsupported("more than 8 semaphores with names");
    if ((flags & O_CREAT) && __VERIFIER_nondet_bool())
        *__errno_location() = NO_ENTRY;
    return opened;
}

int sem_close(sem_t *object)
{
    USE(object);
    __VERIFIER_atomic_begin();
    unsigned number = number_at(object);
    __mazurka_lock_misuse_unless(number < SEMAPHORES && __mazurka_sem_content(object) != NO_SEMAPHORE,
                                 "close of what is no open semaphore with a name");
    if (--semaphores[number].opened == 0) {
        semaphores[number].content = __mazurka_sem_content(object);
        __mazurka_sem_fill(object, NO_SEMAPHORE);
        free((char *)object - HEADER);
        semaphores[number].memory = NULL;
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
    _Bool is_there = named[number] != NOTHING && !COMES_ABOUT;
    named[number] = NOTHING;
    __VERIFIER_atomic_end();
    return is_there ? 0 : fail(NO_ENTRY);
}
