// expect: safe
// reason: A name of more than 15 letters is refused.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int pthread_setname_np(pthread_t, const char *);

int main(void) {
    int error = pthread_setname_np(pthread_self(), "1234567890123456");
    assert(error == ERANGE);
    return 0;
}
