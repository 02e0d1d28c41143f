// functions: sysconf __sysconf gnu_get_libc_version getpagesize getppid gettid getuid geteuid getgid getegid sched_getcpu getenv pthread_atfork
#include <gnu/libc-version.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
    char *nothing = 0;
    UNDEFINED(getenv(nothing));
    UNDEFINED(*(char *)gnu_get_libc_version() = '3');
    CHECK(sysconf(_SC_PAGESIZE));
    CHECK(sysconf(_SC_CLK_TCK));
    CHECK(__sysconf(_SC_PAGESIZE));
    CHECK(__sysconf(-1));
    CHECK(getpagesize());
    CHECK(gnu_get_libc_version() == gnu_get_libc_version());
    CHECK(gnu_get_libc_version()[0]);
    CHECK(gnu_get_libc_version()[1]);
    CHECK(gnu_get_libc_version()[4]);
    ONE_OF(gnu_get_libc_version()[2], value >= '1' && value <= '9');
    ONE_OF(sysconf(_SC_NPROCESSORS_ONLN), value > 0);
    UNKNOWN(sysconf(_SC_OPEN_MAX));
    CHECK(sysconf(-1));
    CHECK(errno);
    CHECK(pthread_atfork(NULL, NULL, NULL));
    UNKNOWN(getppid());
    UNKNOWN(gettid());
    UNKNOWN(getuid());
    UNKNOWN(geteuid());
    UNKNOWN(getgid());
    UNKNOWN(getegid());
    UNKNOWN(sched_getcpu());
    ONE_OF(getenv("NO_SUCH_VARIABLE") == 0, value == 0 || value == 1);
    UNKNOWN(getenv("NO_SUCH_VARIABLE") == 0);
    END;
}
