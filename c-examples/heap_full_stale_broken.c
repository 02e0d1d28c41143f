// expect: unknown
// reason: Writes to the block of the round before, which was freed. The option leaves room for one block: another block may
//   lie there by now, and none that lies elsewhere is looked at.
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
        if (before)
            *before = round;
        free(block);
        before = block;
        assert(met <= round);
    }
    return 0;
}
