// expect: unsafe
// reason: Two threads wait for each other, while main goes on for ever.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beats;

static void *one(void *argument) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right); // deadlock
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return argument;
}

static void *other(void *argument) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (;;)
        beats ^= 1;
}
