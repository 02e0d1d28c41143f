// expect: unknown
// reason: Attributes that were destroyed have no detach state.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t attributes;
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_attr_init(&attributes);
    pthread_attr_destroy(&attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
}
