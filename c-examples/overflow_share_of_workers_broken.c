// expect: unsafe
// reason: The number of workers is looked at again for the division, and may be 0 by then.
// options: --property no-overflow
// size: small
// optimised: clang's check of divisors does not say for which of two reasons it ends the run
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned workers = 1;

static void *leave(void *argument) {
    pthread_mutex_lock(&lock);
    workers--;
    pthread_mutex_unlock(&lock);
    return argument;
}

static unsigned count(void) {
    pthread_mutex_lock(&lock);
    unsigned counted = workers;
    pthread_mutex_unlock(&lock);
    return counted;
}

int main(void) {
    pthread_t thread;
    unsigned share = 0;
    pthread_create(&thread, NULL, leave, NULL);
    if (count() != 0)
        share = 12 / count(); // division by zero
    pthread_join(thread, NULL);
    return share == 0;
}
