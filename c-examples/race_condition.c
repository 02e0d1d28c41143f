// expect: safe
// reason: The queue is looked at with the mutex held, before and behind the wait.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static int length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *put(void *argument) {
    pthread_mutex_lock(&lock);
    length++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    length++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    int taken = 0;
    pthread_create(&thread, NULL, put, NULL);
    pthread_mutex_lock(&lock);
    while (length == 0)
        pthread_cond_wait(&filled, &lock);
    taken = length;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return taken;
}
