// expect: safe
// reason: The step is odd, so its multiples are all numbers of 8 bits, and 0 is among them.
// options: --property termination
// size: medium
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static volatile unsigned char place, step;

static void *go_round(void *unused) {
    while (place != 0)
        place += step;
    return unused;
}

int main(void) {
    pthread_t thread;
    place = __VERIFIER_nondet_uchar();
    step = __VERIFIER_nondet_uchar();
    step |= 1;
    pthread_create(&thread, NULL, go_round, NULL);
    pthread_join(thread, NULL);
    return 0;
}
