// expect: safe
// reason: What is to be done with the mask must be one of three things.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

int main(void) {
    sigset_t own;
    sigemptyset(&own);
    assert(pthread_sigmask(99, &own, NULL) == EINVAL);
    return 0;
}
