// expect: unsafe
// reason: The ticket is an int, and the last of three threads adds to the largest one.
// options: --property no-overflow
// size: small
// optimised: same
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next = INT_MAX - 2;

static void *draw(void *argument) {
    pthread_mutex_lock(&lock);
    next++; // signed overflow
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, draw, NULL);
    draw(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
