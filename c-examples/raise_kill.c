// expect: safe
// reason: This signal can be neither blocked nor ignored: it ends the process.
// size: small
// optimised: same
#include <assert.h>
#include <signal.h>

int main(void) {
    raise(SIGKILL);
    assert(0);
    return 0;
}
