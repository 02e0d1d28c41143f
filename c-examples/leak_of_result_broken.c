// expect: unsafe
// reason: Nobody frees what the thread gives as its result.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static void *make(void *argument) {
    (void)argument;
    return malloc(4);
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, &result);
    return 0; // memory leak
}
