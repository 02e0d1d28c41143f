// expect: unknown
// reason: The lock is taken only when the thread has made its access, but that it is taken orders nothing.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int last;

static void *note(void *argument) {
    last = 1;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_rwlock_trywrlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    else
        last = 2; // no order by the failed try
    pthread_join(thread, NULL);
    return last;
}
