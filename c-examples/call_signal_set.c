// expect: safe
// reason: A signal that was added to an empty set is in it, and no other one is.
// size: small
// optimised: same
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigdelset(&set, SIGUSR2);
    assert(sigismember(&set, SIGUSR1) == 1);
    assert(sigismember(&set, SIGUSR2) == 0);
    return 0;
}
