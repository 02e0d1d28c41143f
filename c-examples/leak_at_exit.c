// expect: safe
// reason: A function that is registered for the end of the process frees the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static int *block;

static void end(void) {
    free(block);
    block = NULL;
}

int main(void) {
    atexit(end);
    block = malloc(sizeof *block);
    *block = 1;
    return 0; // memory leak
}
