/* System calls by their number on x86-64: waiting for a word (futex), and some that have functions of their own. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error_number.h"
#include "model.h"
#include "timed.h"

extern int __mazurka_unknown_int(void);

static _Bool is_valid_limit(const struct timespec *limit)
{
    return limit->tv_sec >= 0 && is_valid_time(limit);
}

/* Linux lets a thread go on at any time as if it had been woken, so waking carries no information, and a wait only asks for the value.
   The limit is a length of time where it is relative, and a time of the clock elsewhere. */
static long wait_for_change(const unsigned *word, unsigned value, const struct timespec *limit, _Bool is_relative, clockid_t clock)
{
    if (__mazurka_are_deadlocks_looked_for())
        __mazurka_unsupported("deadlock of threads that wait for a word (futex)");
    if (limit && !is_valid_limit(limit))
        return fail(INVALID);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value || COMES_ABOUT)
        return fail(TRY_AGAIN);
    if (!limit || __VERIFIER_nondet_bool())
        return 0;
    if (is_relative)
        pass(limit->tv_sec, limit->tv_nsec);
    else
        time_out(clock, limit);
    return fail(TIMED_OUT);
}

/* How many threads wait is not known. Waking does not look at the word, which may be gone; but for threads of other processes, the kernel
   looks for the memory behind it. */
static long wake(const unsigned *word, _Bool is_private)
{
    if (!is_private)
        (void)__atomic_load_n((const volatile unsigned *)word, __ATOMIC_SEQ_CST);
    return __mazurka_unknown_int() & INT32_MAX;
}

/* Arguments that an operation does not use may be missing. */
static long futex(va_list list)
{
    const unsigned *word = va_arg(list, const unsigned *);
    int operation = va_arg(list, int);
    unsigned value = va_arg(list, unsigned);
    _Bool is_private = (operation & FUTEX_PRIVATE_FLAG) != 0;
    _Bool has_clock = (operation & FUTEX_CLOCK_REALTIME) != 0;
    int command = operation & FUTEX_CMD_MASK;
    if (command != FUTEX_WAIT && command != FUTEX_WAKE && command != FUTEX_WAIT_BITSET && command != FUTEX_WAKE_BITSET)
        __mazurka_unsupported("futex operation other than waiting and waking");
    if (has_clock && command != FUTEX_WAIT_BITSET)
        __mazurka_unsupported("futex operation that has no clock with one");
    __mazurka_undefined_unless(((uintptr_t)word & (sizeof *word - 1)) == 0, "futex at an address that is no multiple of 4");
    if (command == FUTEX_WAKE)
        return wake(word, is_private);
    const struct timespec *limit = va_arg(list, const struct timespec *);
    if (command == FUTEX_WAIT)
        return wait_for_change(word, value, limit, 1, CLOCK_MONOTONIC);
    (void)va_arg(list, unsigned *);
    if (va_arg(list, unsigned) == 0)
        return fail(INVALID);
    if (command == FUTEX_WAKE_BITSET)
        return wake(word, is_private);
    return wait_for_change(word, value, limit, 0, has_clock ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

long syscall(long number, ...)
{
    va_list list;
    long result = 0;
    va_start(list, number);
    switch (number) {
    case SYS_futex:
        result = futex(list);
        break;
    case SYS_getpid:
        result = getpid();
        break;
    case SYS_gettid:
        result = gettid();
        break;
    case SYS_sched_yield:
        break;
    default:
        __mazurka_unsupported("system call with this number");
    }
    va_end(list);
    return result;
}
