// expect: unsafe
// reason: A request ends the wait for the condition variable, and nobody gives the mutex back.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    while (!value)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock); // deadlock
    value = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
