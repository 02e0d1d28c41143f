// expect: safe
// reason: Main waits only if the thread has not come to the mutex yet, and the signal then wakes it.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void *announce(void *unused) {
    pthread_mutex_lock(&lock);
    is_ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    if (!is_ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
