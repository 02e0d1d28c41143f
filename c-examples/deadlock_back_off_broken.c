// expect: unsafe
// reason: A thread that does not get the second lock at once waits for it.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *from_the_right(void *argument) {
    pthread_mutex_lock(&right);
    if (pthread_mutex_trylock(&left) != 0)
        pthread_mutex_lock(&left); // deadlock
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, from_the_right, NULL);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(thread, NULL);
    return 0;
}
