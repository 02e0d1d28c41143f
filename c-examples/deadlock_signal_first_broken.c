// expect: unsafe
// reason: The signal is for the thread that waits, so who sends it and then waits itself is not woken by it.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived;
static int left;

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    arrived = 1;
    pthread_cond_signal(&changed);
    while (!left)
        pthread_cond_wait(&changed, &lock); // deadlock
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!arrived)
        pthread_cond_wait(&changed, &lock);
    left = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
