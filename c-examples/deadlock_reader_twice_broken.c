// expect: unsafe
// reason: A thread ends that has taken a lock twice for reading and given it back once, while another one goes on.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *read_all(void *argument) {
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    return argument;
}

static void *write_all(void *argument) {
    pthread_rwlock_wrlock(&shared); // deadlock
    pthread_rwlock_unlock(&shared);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read_all, NULL);
    pthread_create(&threads[1], NULL, write_all, NULL);
    for (;;)
        ;
}
