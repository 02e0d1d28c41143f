/* Names of threads. They are looked at by nobody but who asks for one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "error_number.h"
#include "model.h"

extern size_t strlen(const char *);

/* With the zero byte behind it. */
enum { LONGEST = 16 };

/* Linux may refuse to name another thread. */
int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)thread;
    return strlen(name) >= LONGEST ? OUT_OF_RANGE : __mazurka_unknown_int();
}

/* Writes a text that ends within its first 16 bytes; or nothing, in which case the memory keeps what it held. There are no branches on what
   is unknown, since a violation behind one does not count. */
int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    (void)thread;
    if (size < LONGEST)
        return OUT_OF_RANGE;
    int error = __mazurka_unknown_int();
    int end = __mazurka_unknown_int() & (LONGEST - 1);
    for (int index = 0; index < LONGEST; index++) {
        int kept = name[index];
        int written = __mazurka_unknown_int() & -(index != end);
        name[index] = (char)(kept ^ ((kept ^ written) & -(error == 0)));
    }
    return error;
}

/* Of the options, some say something of the calling thread or process that nobody looks at. */
int prctl(int option, ...)
{
    switch (option) {
    case PR_SET_NAME:
        if (__mazurka_are_races_looked_for()) {
            va_list list;
            va_start(list, option);
            __mazurka_read_some(va_arg(list, const char *));
            va_end(list);
        }
        break;
    case PR_SET_PDEATHSIG:
    case PR_SET_DUMPABLE:
    case PR_SET_TIMERSLACK:
    case PR_SET_NO_NEW_PRIVS:
        break;
    default:
        __mazurka_unsupported("call of `prctl` with this option");
    }
    return succeed_or_fail();
}
