// expect: unsafe
// reason: Whoever looks at the count last still takes the lock, which is destroyed by then.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *argument) {
    pthread_mutex_lock(&lock); // use of a mutex that is not initialised
    count++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
    work(NULL);
    return count - 2;
}
