// expect: safe
// reason: What the thread returns is for the one who joins it.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static void *make(void *argument) {
    (void)argument;
    int *result = malloc(sizeof *result);
    *result = 5;
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, &result);
    free(result);
    return 0;
}
