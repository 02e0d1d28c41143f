// expect: unsafe
// reason: One thread runs the routine and waits for the lock, whose holder waits until the routine has ended.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int prepared;

static void prepare(void) {
    pthread_mutex_lock(&lock); // deadlock
    prepared = 1;
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    pthread_once(&once, prepare);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_once(&once, prepare);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return prepared;
}
