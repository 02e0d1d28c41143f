// expect: unsafe
// reason: Two readers want to become writers, and each waits until the other has given the lock back.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *raise(void *argument) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_wrlock(&lock); // deadlock
    value = seen + 1;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, raise, NULL);
    raise(NULL);
    pthread_join(thread, NULL);
    return value;
}
