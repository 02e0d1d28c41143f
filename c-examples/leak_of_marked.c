// expect: safe
// reason: A pointer whose lowest bit is a mark leads to the block all the same.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdint.h>
#include <stdlib.h>

static uintptr_t marked;

int main(void) {
    int *block = malloc(sizeof *block);
    *block = 1;
    marked = (uintptr_t)block | 1;
    *block = 2;
    return 0; // memory leak
}
