// expect: unsafe
// reason: The function whose variable the thread gets may have returned when the thread uses it.
// size: small
// optimised: same
#include <pthread.h>

static pthread_t thread;

static void *increment(void *argument) {
    ++*(int *)argument; // use after scope
    return 0;
}

static void start(void) {
    int count = 1;
    pthread_create(&thread, 0, increment, &count);
}

int main(void) {
    start();
    pthread_join(thread, 0);
    return 0;
}
