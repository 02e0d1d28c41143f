// expect: safe
// reason: The new thread looks at its handle only after main has said that it is stored.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t handle;
static atomic_int stored;

static void *look(void *unused) {
    while (!stored)
        ;
    assert(pthread_equal(handle, pthread_self()));
    return unused;
}

int main(void) {
    pthread_create(&handle, 0, look, 0);
    stored = 1;
    pthread_join(handle, 0);
    return 0;
}
