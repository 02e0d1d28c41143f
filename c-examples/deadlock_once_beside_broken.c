// expect: unsafe
// reason: The routine waits for a lock whose holder waits until it has run; another thread goes on.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void make(void) {
    pthread_mutex_lock(&lock); // deadlock
    value = 1;
    pthread_mutex_unlock(&lock);
}

static void *use(void *argument) {
    pthread_once(&once, make);
    return argument;
}

static void *hold(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_once(&once, make);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, hold, NULL);
    for (;;)
        ;
}
