// expect: unknown
// reason: The mutex is taken only when the thread has made its access, but that it is taken orders nothing.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void *note(void *argument) {
    last = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {0, 0};
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_mutex_timedlock(&mutex, &limit) == 0)
        pthread_mutex_unlock(&mutex);
    else
        last = 2; // no order by the failed wait
    pthread_join(thread, NULL);
    return last;
}
