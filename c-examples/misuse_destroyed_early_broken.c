// expect: unsafe
// reason: The lock is destroyed while the thread may hold it.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *argument) {
    pthread_mutex_lock(&lock); // use of a mutex that is not initialised
    shared++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    shared++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock); // destruction of a mutex that is held
    pthread_join(thread, NULL);
    return shared - 2;
}
