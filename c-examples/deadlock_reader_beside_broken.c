// expect: unsafe
// reason: A writer waits for a reader, which waits for the writer's mutex; another thread goes on.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *read_all(void *argument) {
    pthread_rwlock_rdlock(&shared);
    pthread_mutex_lock(&lock); // deadlock
    pthread_mutex_unlock(&lock);
    pthread_rwlock_unlock(&shared);
    return argument;
}

static void *write_all(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read_all, NULL);
    pthread_create(&threads[1], NULL, write_all, NULL);
    for (;;)
        ;
}
