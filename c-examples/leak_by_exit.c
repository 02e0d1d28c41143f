// expect: unknown
// reason: The process ends in a function whose variable leads to the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

static void leave(int *block) {
    if (*block)
        exit(0);
    free(block);
}

int main(void) {
    int *block = malloc(sizeof *block);
    *block = 1;
    leave(block);
    return 0;
}
