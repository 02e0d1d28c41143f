// expect: safe
// reason: Each way out of the function gives the lock back once.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items = 1;

static void *take(void *argument) {
    pthread_mutex_lock(&lock);
    if (items == 0) {
        pthread_mutex_unlock(&lock);
        return argument;
    } else {
        items--;
    }
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    take(NULL);
    pthread_join(thread, NULL);
    return 0;
}
