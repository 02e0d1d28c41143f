// expect: unsafe
// reason: A thread may still wait when the condition variable is destroyed: the signal was for the other one, and is lost.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int all = waiting == 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (all)
        pthread_cond_destroy(&changed); // destruction of a condition variable that threads wait for
    return 0;
}
