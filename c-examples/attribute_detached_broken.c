// expect: unknown
// reason: A thread that starts detached is joined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int result;

static void *worker(void *unused) {
    result = 1;
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, 0);
    assert(result == 1);
}
