// expect: safe
// reason: The waiting thread looks at the flag with the mutex held, under which it is set.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *announce(void *argument) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
