// expect: safe
// reason: The first number is from 1 to 84. Among numbers of 8 bits only 0, 85, 170 and 227 do not lead to 1.
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
    if (number == 0 || number > 84)
        return 0;
    pthread_create(&thread, NULL, walk, NULL);
    pthread_join(thread, NULL);
    return 0;
}
