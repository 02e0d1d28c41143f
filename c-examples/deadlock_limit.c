// expect: safe
// reason: The second lock is waited for with a limit of time, behind which the first one is given back.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    struct timespec limit = {1, 0};
    if (pthread_mutex_timedlock(second, &limit) == 0)
        pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *from_the_right(void *argument) {
    take(&right, &left);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, from_the_right, NULL);
    take(&left, &right);
    pthread_join(thread, NULL);
    return 0;
}
