// expect: unsafe
// reason: One thread holds the mutex of the other counter when it changes this one.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static int hits, misses;
static pthread_mutex_t hits_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t misses_lock = PTHREAD_MUTEX_INITIALIZER;

static void *hit(void *argument) {
    pthread_mutex_lock(&hits_lock);
    hits++;
    pthread_mutex_unlock(&hits_lock);
    return argument;
}

static void *miss(void *argument) {
    pthread_mutex_lock(&misses_lock);
    misses++;
    hits--; // data race
    pthread_mutex_unlock(&misses_lock);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, hit, NULL);
    pthread_create(&other, NULL, miss, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return hits + misses;
}
