// expect: unsafe
// reason: The thread that is woken does not act upon the request, and the other one waits for good.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void give_back(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, &lock);
    waiting++;
    pthread_cond_wait(&changed, &lock); // deadlock
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    if (waiting == 2)
        pthread_cond_signal(&changed);
    else
        pthread_cancel(threads[1]);
    pthread_cancel(threads[0]);
    int all = waiting == 2;
    pthread_mutex_unlock(&lock);
    if (all)
        pthread_join(threads[1], NULL);
    return 0;
}
