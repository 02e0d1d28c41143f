// expect: unsafe
// reason: The process ignores the signal, so it goes on behind `raise`.
// size: small
// optimised: same
#include <assert.h>
#include <signal.h>

int main(void) {
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    assert(0);
    return 0;
}
