// expect: unknown
// reason: The access to freed memory is only made if six blocks in turn lie elsewhere than the two that were freed before, for which
//   there is no room by default.
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *first = NULL, *second = NULL;
    for (int round = 0; __VERIFIER_nondet_int(); round++) {
        int *block = malloc(sizeof *block);
        if (round == 0) {
            first = block;
        } else if (round == 1) {
            second = block;
            free(first);
            free(second);
        } else if (block == first || block == second) {
            return 0;
        } else if (round == 7) {
            *first = 1;
            return 0;
        }
    }
    return 0;
}
