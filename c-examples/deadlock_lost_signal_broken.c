// expect: unsafe
// reason: The flag is set without the mutex, so the signal may come between the look and the wait.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *announce(void *argument) {
    ready = 1;
    pthread_cond_signal(&changed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock); // deadlock
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
