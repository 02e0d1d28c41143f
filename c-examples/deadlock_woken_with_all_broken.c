// expect: unsafe
// reason: A thread that is cancelled after a broadcast leaves nothing to the one that waits later.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t first;
static int is_there;
static int is_woken;

static void give_back(void *mutex) {
    is_there = 0;
    pthread_mutex_unlock(mutex);
}

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, &lock);
    is_there = 1;
    pthread_cond_wait(&changed, &lock);
    is_there = 0;
    pthread_cond_signal(&changed);
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *stop(void *argument) {
    pthread_mutex_lock(&lock);
    int is_late = is_woken;
    pthread_mutex_unlock(&lock);
    if (is_late)
        pthread_cancel(first);
    return argument;
}

int main(void) {
    pthread_t second;
    pthread_mutex_lock(&lock);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, stop, NULL);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (is_there) {
        pthread_cond_broadcast(&changed);
        is_woken = 1;
        pthread_cond_wait(&changed, &lock); // deadlock
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
