// expect: unsafe
// reason: To block signals is one of the three.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

int main(void) {
    sigset_t own;
    sigemptyset(&own);
    assert(pthread_sigmask(SIG_BLOCK, &own, NULL) == EINVAL);
    return 0;
}
