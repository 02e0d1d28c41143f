// expect: unknown
// reason: Two heap objects may lie at a multiple of 2^32 bytes from each other, and then the low halves of their addresses are equal.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *here = malloc(sizeof *here), *there = malloc(sizeof *there);
    assert((uint32_t)(uintptr_t)here != (uint32_t)(uintptr_t)there);
    return 0;
}
