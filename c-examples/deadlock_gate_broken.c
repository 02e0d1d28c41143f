// expect: unsafe
// reason: One thread passes the gate before it takes both locks, so both may hold one of them.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *from_the_left(void *argument) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right); // deadlock
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, from_the_left, NULL);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&gate);
    pthread_join(thread, NULL);
    return 0;
}
