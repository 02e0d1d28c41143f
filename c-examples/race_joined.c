// expect: safe
// reason: The thread was joined before its result is read.
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
    pthread_join(thread, NULL);
    seen = result;
    return seen;
}
