// expect: unsafe
// reason: The thread frees what it returns, and so does the one who joins it.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static void *make(void *argument) {
    (void)argument;
    int *result = malloc(sizeof *result);
    *result = 5;
    free(result);
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, &result);
    free(result); // double free
    return 0;
}
