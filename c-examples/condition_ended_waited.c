// expect: unsafe
// reason: The function returns while the thread may still wait for the condition variable that is on its stack.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_it(void *argument) {
    pthread_cond_t *condition = argument;
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(condition, &mutex); // use after scope
    pthread_mutex_unlock(&mutex);
    return 0;
}

static pthread_t start(void) {
    pthread_cond_t condition;
    pthread_t thread;
    pthread_cond_init(&condition, 0);
    pthread_create(&thread, 0, wait_for_it, &condition);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return thread;
}

int main(void) {
    pthread_join(start(), 0);
    assert(ready);
    return 0;
}
