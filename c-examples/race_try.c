// expect: safe
// reason: A thread that does not get the mutex leaves the counter alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *hit(void *argument) {
    pthread_mutex_lock(&mutex);
    hits++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    if (pthread_mutex_trylock(&mutex) == 0) {
        hits++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return hits;
}
