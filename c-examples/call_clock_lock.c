// expect: safe
// reason: The lock is taken, or the time is over.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct timespec limit;
    pthread_create(&thread, NULL, hold, NULL);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    int error = pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
