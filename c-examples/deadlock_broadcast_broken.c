// expect: unsafe
// reason: Only one of two waiting threads is woken.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static int is_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;

static void *enter(void *argument) {
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&opened, &lock); // deadlock
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, enter, NULL);
    pthread_create(&other, NULL, enter, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
