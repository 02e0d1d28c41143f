// expect: safe
// reason: The thread returns the address of a static variable.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int shared_result;

static void *compute(void *argument) {
    int own_result;
    int *result = &shared_result;
    *result = *(int *)argument * 2;
    (void)shared_result, (void)own_result;
    return result;
}

int main(void) {
    pthread_t thread;
    int number = 21;
    void *result;
    pthread_create(&thread, NULL, compute, &number);
    pthread_join(thread, &result);
    return *(int *)result;
}
