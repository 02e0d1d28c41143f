// expect: safe
// reason: Tickets are unsigned numbers, which go on with 0 behind the largest one.
// options: --property no-overflow
// size: small
// optimised: same
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned next = UINT_MAX - 1;

static void *draw(void *argument) {
    pthread_mutex_lock(&lock);
    next++;
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
