// expect: unsafe
// reason: A thread ends that holds the mutex.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    if (stop) {
        return NULL;
    }
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    stop = 1;
    pthread_mutex_lock(&lock); // deadlock
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
