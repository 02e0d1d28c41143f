// expect: unsafe
// reason: Nothing leads to the block when the program ends.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    *kept = 1;
    kept = NULL;
    return 0; // memory leak
}
