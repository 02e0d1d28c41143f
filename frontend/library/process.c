/* What a process is told of itself and of its machine. */
#include <unistd.h>

#include "error_number.h"
#include "model.h"

/* Any positive number, chosen at the first call and kept. */
pid_t getpid(void)
{
    static int process;
    int number;
    __VERIFIER_atomic_begin();
    if (process == 0) {
        process = __VERIFIER_nondet_int();
        __VERIFIER_assume(process > 0);
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

/* The second number of the version is chosen at the first call and kept. */
const char *gnu_get_libc_version(void)
{
    enum { VERSIONS = 64, TENS = 2, UNITS = 3, LENGTH = 4 };
    static char version[LENGTH + 1];
    __VERIFIER_atomic_begin();
    if (version[0] == 0) {
        int number = 1 + (__VERIFIER_nondet_int() & (VERSIONS - 1));
        version[0] = '2';
        version[1] = '.';
        version[TENS] = (char)('0' + (number < 10 ? number : number / 10));
        version[UNITS] = (char)(number < 10 ? 0 : '0' + number % 10);
    }
    __VERIFIER_atomic_end();
    return version;
}

int getpagesize(void)
{
    return PAGE;
}
