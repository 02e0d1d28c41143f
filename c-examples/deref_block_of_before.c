// expect: safe
// reason: Each round writes to its own block. Whether that lies where the one before lay is only looked at.
// options: --property valid-deref
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *before = NULL, again = 0;
    for (int round = 0; round < 3 && __VERIFIER_nondet_int(); round++) {
        int *block = malloc(sizeof *block);
        again += block == before;
        *block = round;
        free(block);
        before = block;
    }
    return again;
}
