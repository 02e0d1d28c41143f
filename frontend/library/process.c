/* What a process is told of itself and of its machine. */
#include <limits.h>
#include <unistd.h>

#include "error_number.h"
#include "model.h"

/* Any positive number, chosen at the first call and kept. It is made without a branch, so that nobody looks at it who does not use it. */
pid_t getpid(void)
{
    static int is_chosen, process;
    int number;
    __VERIFIER_atomic_begin();
    if (!is_chosen) {
        is_chosen = 1;
        process = __VERIFIER_nondet_int() & INT_MAX;
        process += !process;
    }
    number = process;
    __VERIFIER_atomic_end();
    return number;
}

/* The numbers that glibc has names for. */
enum { LAST_NAME = _SC_SIGSTKSZ };

/* A machine has any number of processors that Linux can be built for, and they come and go. Its pages have 4096 bytes. */
enum { MOST_PROCESSORS = 8192, PAGE = 4096, TICKS = 100 };

long sysconf(int name)
{
    if (name < 0 || name > LAST_NAME)
        return fail(INVALID);
    switch (name) {
    case _SC_PAGESIZE:
        return PAGE;
    case _SC_CLK_TCK:
        return TICKS;
    case _SC_NPROCESSORS_ONLN:
        return 1 + (__VERIFIER_nondet_int() & (MOST_PROCESSORS - 1));
    default:
        return (long)__mazurka_unknown_long();
    }
}

/* The name that glibc's headers call it by, where they define PTHREAD_STACK_MIN. */
long __sysconf(int name)
{
    return sysconf(name);
}

/* Versions of glibc from 2.0 on, of which nobody may write the text. */
#define TEN(tens)                                                                                                      \
    "2." tens "0", "2." tens "1", "2." tens "2", "2." tens "3", "2." tens "4", "2." tens "5", "2." tens "6",           \
    "2." tens "7", "2." tens "8", "2." tens "9"
static const char versions[][sizeof "2.00"] = {TEN(""), TEN("1"), TEN("2"), TEN("3"), TEN("4"), TEN("5"), TEN("6")};

/* Any from 2.1 to 2.64, chosen at the first call and kept. */
const char *gnu_get_libc_version(void)
{
    enum { CHOICES = 64 };
    static int version;
    int chosen;
    __VERIFIER_atomic_begin();
    if (version == 0)
        version = 1 + (__VERIFIER_nondet_uchar() & (CHOICES - 1));
    chosen = version;
    __VERIFIER_atomic_end();
    return versions[chosen];
}

int getpagesize(void)
{
    return PAGE;
}
