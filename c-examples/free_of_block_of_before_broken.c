// expect: unsafe
// reason: The block of the round before is freed once more. Where the new block lies there, that one is freed under
//   its owner's hands.
// options: --property valid-free
// size: small
// optimised: LLVM takes for granted that a new block lies where no other one ever lay
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *before = NULL;
    int again = 0;
    for (int round = 0; round < 2 && __VERIFIER_nondet_int(); round++) {
        char *block = malloc(4);
        again += block == before;
        free(before); // double free
        if (round == 0)
            free(block);
        before = block;
    }
    return again;
}
