// expect: unsafe
// reason: The second thread waits for the end of the first one, which waits for that of the second.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static pthread_t one, other;
static atomic_int stored;

static void *first(void *argument) {
    if (stored)
        pthread_join(other, NULL); // deadlock
    return argument;
}

static void *second(void *argument) {
    pthread_join(one, NULL);
    return argument;
}

int main(void) {
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    stored = 1;
    pthread_exit(NULL);
}
