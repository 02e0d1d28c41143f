// expect: unsafe
// reason: In 8 bits, 3 * 85 + 1 is 0 again, and 0 stays 0.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static volatile unsigned char number;

static void *walk(void *unused) {
    while (number != 1)
        if (number % 2 == 0)
            number /= 2;
        else
            number = (unsigned char)(3 * number + 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    number = __VERIFIER_nondet_uchar();
    if (number == 0 || number > 85)
        return 0;
    pthread_create(&thread, NULL, walk, NULL);
    pthread_join(thread, NULL);
    return 0;
}
