// expect: unsafe
// reason: Writes to the block of the round before. Where the new block lies there, the write hits memory that lives,
//   and is wrong all the same.
// options: --property valid-deref
// size: small
// optimised: LLVM takes for granted that a new block lies where no other one ever lay
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *before = NULL, again = 0;
    for (int round = 0; round < 3 && __VERIFIER_nondet_int(); round++) {
        int *block = malloc(sizeof *block);
        again += block == before;
        if (before)
            *before = round; // use after free
        free(block);
        before = block;
    }
    return again;
}
