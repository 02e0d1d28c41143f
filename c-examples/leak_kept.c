// expect: safe
// reason: A variable of static storage leads to the block until the program ends.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    *kept = 1;
    *kept = 2;
    return 0; // memory leak
}
