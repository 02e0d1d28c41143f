// expect: unsafe
// reason: The threads get the address of the loop variable, which may have moved on when they read
//   it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *number(void *address) {
    return (void *)(intptr_t)*(volatile int *)address;
}

int main(void) {
    pthread_t t[2];
    volatile int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, number, (void *)&i);
    for (int k = 0; k < 2; k++) {
        void *result;
        pthread_join(t[k], &result);
        assert((intptr_t)result == k);
    }
    return 0;
}
