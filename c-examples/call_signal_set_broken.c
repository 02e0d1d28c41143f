// expect: unsafe
// reason: The set was emptied behind that.
// size: small
// optimised: same
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigemptyset(&set);
    assert(sigismember(&set, SIGUSR1) == 1);
    assert(sigismember(&set, SIGUSR2) == 0);
    return 0;
}
