// expect: safe
// reason: Each slot of the table leads to a block of its own.
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
    keep(6);
    return 0; // memory leak
}
