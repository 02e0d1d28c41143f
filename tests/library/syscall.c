// functions: syscall poll
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static unsigned word = 3;
static struct timespec moment = {0, 1};
static struct timespec past = {1, 0};
static struct timespec invalid = {0, 1000000000};
static struct timespec negative = {-1, 0};

static long error_of(long result)
{
    return result == -1 ? errno : result;
}

int main(void)
{
    unsigned *nowhere = 0;
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT, 4, 0)));
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, &moment, 0, 0)));
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT, 3, &invalid)));
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT, 4, &negative)));
    ONE_OF(error_of(syscall(SYS_futex, &word, FUTEX_WAIT, 3, &moment)), value == 0 || value == ETIMEDOUT);
    ONE_OF(error_of(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 3, &past, 0, 1)), value == 0 || value == ETIMEDOUT);
    ONE_OF(error_of(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 3, &past, 0, 1)), value == 0 || value == ETIMEDOUT);
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 4, &past, 0, 1)));
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 3, 0, 0, 0)));
    CHECK(error_of(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 3, 0, 0, 0)));
    UNKNOWN(syscall(SYS_futex, &word, FUTEX_WAKE, 1));
    UNKNOWN(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1));
    UNDEFINED(syscall(SYS_futex, (char *)&word + 2, FUTEX_WAKE, 1));
    UNDEFINED(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 3, 0));
    UNKNOWN(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 1));
    UNDEFINED(syscall(SYS_futex, nowhere, FUTEX_WAIT, 3, 0));
    UNDEFINED(syscall(SYS_futex, nowhere, FUTEX_WAKE, 3));
    UNKNOWN(syscall(SYS_futex, nowhere, FUTEX_WAKE_PRIVATE, 3));
    UNDEFINED(syscall(SYS_futex, &word, FUTEX_WAIT));
    CHECK(syscall(SYS_getpid) == getpid());
    CHECK(syscall(SYS_sched_yield));
    CHECK(poll(0, 0, 0));
    CHECK(poll(0, 0, 1));
    NEVER_RETURNS(poll(0, 0, -1));
    END;
}
