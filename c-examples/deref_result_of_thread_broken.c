// expect: unsafe
// reason: The thread returns the address of its own variable, which ends with it.
// options: --property valid-deref
// size: small
// optimised: LLVM returns an undefined value instead of the address of a variable that ends
#include <pthread.h>
#include <stdlib.h>

static int shared_result;

static void *compute(void *argument) {
    int own_result;
    int *result = &own_result;
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
    return *(int *)result; // use after thread end
}
