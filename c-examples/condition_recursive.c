// expect: safe
// reason: The thread that waits holds the recursive mutex once, so that the wait releases it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signal_ready(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_create(&thread, 0, signal_ready, 0);
    pthread_mutex_lock(&mutex);
    while (!ready)
        assert(pthread_cond_wait(&changed, &mutex) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
