// expect: safe
// reason: Where the policy is not permitted, the thread starts with the inherited one, which needs no permission.
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
    if (error != 0) {
        pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED);
        error = pthread_create(&thread, &attributes, start, 0);
    }
    assert(error == 0);
    return 0;
}
