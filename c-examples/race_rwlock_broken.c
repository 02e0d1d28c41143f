// expect: unsafe
// reason: The writer takes the lock as a reader, so both may have it.
// options: --property no-data-race
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static int setting;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *argument) {
    pthread_rwlock_rdlock(&lock);
    *(int *)argument = setting; // data race
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    int seen = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, look, &seen);
    pthread_rwlock_rdlock(&lock);
    setting = 3;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return seen;
}
