// expect: unsafe
// reason: A thread whose wait is refused sends no signal: the one that waits is not woken before the condition variable is destroyed.
// options: --property no-lock-misuse
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waits;

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *fail(void *argument) {
    pthread_cond_wait(&changed, &lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, fail, NULL);
    pthread_mutex_lock(&lock);
    int is_there = waits;
    pthread_mutex_unlock(&lock);
    pthread_join(threads[1], NULL);
    if (is_there)
        pthread_cond_destroy(&changed); // destruction of a condition variable that threads wait for
    return 0;
}
