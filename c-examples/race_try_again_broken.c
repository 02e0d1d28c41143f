// expect: unsafe
// reason: The other thread makes its access after the second try, whether or not it has got the mutex.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *hit(void *argument) {
    pthread_mutex_lock(&mutex);
    hits++; // data race
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hit, NULL);
    int error = pthread_mutex_trylock(&mutex);
    if (error != 0)
        error = pthread_mutex_trylock(&mutex);
    hits++; // data race
    if (error == 0)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return hits;
}
