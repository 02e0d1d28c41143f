// expect: unsafe
// reason: Both threads wait for the second lock without a limit.
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
    pthread_mutex_lock(second); // deadlock
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
