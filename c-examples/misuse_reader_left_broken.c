// expect: unsafe
// reason: The reader gives the lock back although it may not have got it.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, seen;

static void *write_value(void *argument) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_value, NULL);
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        seen = value;
    }
    pthread_rwlock_unlock(&lock); // unlock of a free read-write lock
    pthread_join(thread, NULL);
    return 0;
}
