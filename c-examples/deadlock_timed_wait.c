// expect: safe
// reason: The wait for the signal has a limit of time.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *prepare(void *argument) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    pthread_mutex_lock(&lock);
    if (!ready) {
        struct timespec limit = {1, 0};
        pthread_cond_timedwait(&changed, &lock, &limit);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
