// expect: unsafe
// reason: The condition may have come about before.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int is_set;

static void *set(void *argument) {
    pthread_mutex_lock(&lock);
    is_set = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_condattr_t attributes;
    pthread_t thread;
    struct timespec limit;
    int error = 0;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_create(&thread, NULL, set, NULL);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    pthread_mutex_lock(&lock);
    while (!is_set && error == 0)
        error = pthread_cond_timedwait(&changed, &lock, &limit);
    assert(error == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
