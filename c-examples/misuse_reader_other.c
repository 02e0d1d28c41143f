// expect: safe
// reason: Each reader gives back the read-write lock that it holds.
// options: --property no-lock-misuse
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *argument) {
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&shared);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
