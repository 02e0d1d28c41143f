// expect: safe
// reason: The counter is any at first, and 1 less after each round.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static volatile unsigned char counter;

static void *count_down(void *unused) {
    while (counter != 0)
        counter -= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    counter = __VERIFIER_nondet_uchar();
    pthread_create(&thread, NULL, count_down, NULL);
    pthread_join(thread, NULL);
    return 0;
}
