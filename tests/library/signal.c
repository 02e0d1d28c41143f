// functions: sigemptyset sigfillset sigaddset sigdelset sigismember pthread_sigmask sigprocmask sigaction signal
#include <signal.h>

#include "check.h"

static void handle(int number)
{
    (void)number;
}

int main(void)
{
    sigset_t set, old;
    sigset_t *nowhere = 0;
    struct sigaction action, before;
    CHECK(sigemptyset(&set));
    CHECK(sigismember(&set, SIGINT));
    CHECK(sigaddset(&set, SIGINT));
    CHECK(sigismember(&set, SIGINT));
    CHECK(sigismember(&set, SIGTERM));
    CHECK(sigdelset(&set, SIGINT));
    CHECK(sigismember(&set, SIGINT));
    CHECK(sigfillset(&set));
    CHECK(sigismember(&set, 64));
    CHECK(sigismember(&set, 65));
    CHECK(errno);
    CHECK(sigaddset(&set, 0));
    CHECK(sigdelset(&set, -1));
    CHECK(pthread_sigmask(SIG_BLOCK, &set, &old));
    UNKNOWN(sigismember(&old, SIGUSR1));
    CHECK(pthread_sigmask(7, &set, 0));
    CHECK(pthread_sigmask(7, 0, &old));
    CHECK(sigprocmask(SIG_SETMASK, &old, 0));
    CHECK(sigprocmask(7, &set, 0));

    ONE_OF(signal(SIGUSR1, handle) == SIG_DFL, value == 0 || value == 1);
    CHECK(signal(SIGUSR1, SIG_DFL) == handle);
    CHECK(signal(SIGKILL, handle) == SIG_ERR);
    CHECK(signal(0, handle) == SIG_ERR);
    action.sa_handler = handle;
    action.sa_flags = 0;
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(SIGUSR1, &action, 0));
    CHECK(sigaction(SIGUSR1, 0, &before));
    CHECK(before.sa_handler == handle);
    UNKNOWN(before.sa_flags);
    CHECK(sigaction(SIGSTOP, &action, 0));
    CHECK(sigaction(65, 0, &before));

    UNDEFINED(sigemptyset(nowhere));
    UNDEFINED(sigismember(nowhere, SIGINT));
    UNDEFINED(pthread_sigmask(SIG_BLOCK, nowhere + 1, 0));
    UNDEFINED(sigaction(SIGUSR1, (struct sigaction *)nowhere + 1, 0));
    END;
}
