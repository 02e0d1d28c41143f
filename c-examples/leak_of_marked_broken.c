// expect: unsafe
// reason: The marked pointer is overwritten.
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
    marked = 1;
    return 0; // memory leak
}
