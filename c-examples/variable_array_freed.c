// expect: unsafe
// reason: An array of variable length is no memory from `malloc`: it cannot be freed.
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int length = __VERIFIER_nondet_int() ? 2 : 3;
    int row[length];
    int *p = row;
    row[0] = 0;
    free(p); // invalid free
    return 0;
}
