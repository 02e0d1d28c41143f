// expect: unsafe
// reason: What is registered for the end of the process does not free the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static int *block;

static void end(void) {
    *block = 2;
    block = NULL;
}

int main(void) {
    atexit(end);
    block = malloc(sizeof *block);
    *block = 1;
    return 0; // memory leak
}
