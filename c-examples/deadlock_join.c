// expect: safe
// reason: Only main waits for the end of threads.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static pthread_t one, other;
static atomic_int stored;

static void *first(void *argument) {
    return argument;
}

static void *second(void *argument) {
    return argument;
}

int main(void) {
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    stored = 1;
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
