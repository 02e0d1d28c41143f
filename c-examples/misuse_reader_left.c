// expect: safe
// reason: A reader that did not get the lock does not give it back.
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
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
