// expect: unsafe
// reason: The result is read first and the thread joined then.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static int result;

static void *compute(void *argument) {
    result = *(int *)argument * 2;
    return NULL;
}

int main(void) {
    int number = 21, seen;
    pthread_t thread;
    pthread_create(&thread, NULL, compute, &number);
    seen = result; // data race
    pthread_join(thread, NULL);
    return seen;
}
