// expect: unsafe
// reason: The new thread may run before pthread_create has stored its handle.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_t handle;

static void *look(void *unused) {
    assert(pthread_equal(handle, pthread_self()));
    return unused;
}

int main(void) {
    pthread_create(&handle, 0, look, 0);
    pthread_join(handle, 0);
    return 0;
}
