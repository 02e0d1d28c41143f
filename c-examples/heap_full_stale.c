// expect: safe
// reason: Each round writes to its own block before that is freed. One block at a time needs room, wherever it lies.
// options: --heap 1
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    int *before = NULL, met = 0;
    for (int round = 0; round < 3 && round < rounds; round++) {
        int *block = malloc(sizeof *block);
        met += block == before;
        *block = round;
        free(block);
        before = block;
        assert(met <= round);
    }
    return 0;
}
