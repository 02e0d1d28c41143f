// expect: safe
// reason: What no thread can have is refused, and leaves the attributes as they were.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int state = -1;
    assert(pthread_attr_setdetachstate(&attributes, 7) == EINVAL);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_destroy(&attributes) == 0);
}
