// expect: safe
// reason: A thread that does not get the lock leaves the variable alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int last;

static void *note(void *argument) {
    pthread_rwlock_rdlock(&lock);
    int seen = last;
    pthread_rwlock_unlock(&lock);
    return seen == 2 ? NULL : argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        last = 2;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return last;
}
