// expect: unsafe
// reason: A thread gives back a read-write lock that only the other one holds.
// options: --property no-lock-misuse
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *argument) {
    pthread_rwlock_unlock(&shared); // unlock of a read-write lock that the thread does not hold
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&shared);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
