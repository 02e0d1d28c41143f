// expect: safe
// reason: Both ways out of the function free what it has allocated.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(void) {
    int *first = malloc(sizeof *first);
    if (__VERIFIER_nondet_int()) {
        free(first);
        return 1;
    }
    int *second = malloc(sizeof *second);
    *first = *second = 0;
    free(second);
    free(first);
    return 0;
}

int main(void) {
    int result = work();
    return result; // memory leak
}
