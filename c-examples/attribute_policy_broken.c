// expect: unsafe
// reason: A process may lack the permission to start a thread with a policy of its own, and then none is started.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void *start(void *unused) {
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    int error = pthread_create(&thread, &attributes, start, 0);
    assert(error == 0);
    return 0;
}
