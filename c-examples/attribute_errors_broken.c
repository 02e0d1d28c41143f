// expect: unsafe
// reason: One byte is not enough for a stack, so the size is refused.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
    assert(pthread_attr_setstacksize(&attributes, 1) == 0);
    pthread_attr_destroy(&attributes);
}
