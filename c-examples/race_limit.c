// expect: safe
// reason: A thread that does not get the mutex leaves the variable alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void *note(void *argument) {
    pthread_mutex_lock(&mutex);
    last = 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {0, 0};
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_mutex_timedlock(&mutex, &limit) == 0) {
        last = 2;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return last;
}
