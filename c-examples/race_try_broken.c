// expect: unknown
// reason: The try fails only when the thread has the mutex and has made its access, but a failed try orders nothing.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *hit(void *argument) {
    hits++;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else
        hits++; // no order by the failed try
    pthread_join(thread, NULL);
    return hits;
}
