// expect: safe
// reason: Each block is freed in its own round.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *before = NULL;
    int again = 0;
    for (int round = 0; round < 2 && __VERIFIER_nondet_int(); round++) {
        char *block = malloc(4);
        again += block == before;
        free(block);
        before = block;
    }
    return again;
}
