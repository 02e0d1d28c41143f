// expect: unsafe
// reason: Two blocks go into the same slot, and the first is lost.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static int *table[4];

static void keep(unsigned key) {
    int *block = malloc(sizeof *block);
    *block = 0;
    table[key % 4] = block;
}

int main(void) {
    keep(1);
    keep(5);
    return 0; // memory leak
}
