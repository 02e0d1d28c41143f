// expect: safe
// reason: Thread i returns the square of its number, and joining thread i yields that result.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *square(void *number) {
    intptr_t n = (intptr_t)number;
    return (void *)(n * n);
}

int main(void) {
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], 0, square, (void *)(i + 1));
    intptr_t sum = 0;
    for (int i = 2; i >= 0; i--) {
        void *result;
        pthread_join(t[i], &result);
        assert((intptr_t)result == (i + 1) * (i + 1));
        sum += (intptr_t)result;
    }
    assert(sum == 14);
    return 0;
}
