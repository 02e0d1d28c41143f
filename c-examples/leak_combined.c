// expect: unknown
// reason: The only number that is kept is the sum of two addresses, from which the program could get one.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdint.h>
#include <stdlib.h>

static uintptr_t both;
static int variable;

int main(void) {
    int *block = malloc(sizeof *block);
    *block = 1;
    both = (uintptr_t)block ^ (uintptr_t)&variable;
    return 0;
}
