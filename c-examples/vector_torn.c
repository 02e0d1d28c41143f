// expect: unsafe
// reason: A vector of 32 bytes is not copied in one step, so that the reader may see the first element written and the last not.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

typedef int eight __attribute__((vector_size(32)));

static volatile eight shared;

static void *writer(void *unused) {
    eight ones = {1, 1, 1, 1, 1, 1, 1, 1};
    shared = ones;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    eight seen = shared;
    assert(seen[0] == seen[7]);
    pthread_join(t, 0);
    return 0;
}
