// expect: unsafe
// reason: One number may be 0, and subtracting it lowers nothing.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
    volatile unsigned char a, b;
};

static void *divisor(void *argument) {
    struct pair *pair = argument;
    while (pair->a != pair->b)
        if (pair->a > pair->b)
            pair->a -= pair->b;
        else
            pair->b -= pair->a;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct pair pair = {__VERIFIER_nondet_uchar() % 32, __VERIFIER_nondet_uchar() % 32};
    if (pair.a == 0 && pair.b == 0)
        return 0;
    pthread_create(&thread, NULL, divisor, &pair);
    pthread_join(thread, NULL);
    return 0;
}
