// expect: safe
// reason: Each round writes to its own block before that is freed, wherever it lies. There is room for three rounds.
// options: --heap 3
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
