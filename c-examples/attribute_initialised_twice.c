// expect: unknown
// reason: Attributes that are initialised already must not be initialised again: POSIX leaves the meaning open.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_attr_t attributes;

int main(void) {
    int state = -1;
    pthread_attr_init(&attributes);
    pthread_attr_init(&attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    return 0;
}
