// expect: unsafe
// reason: The pointer to the first block is overwritten, and nothing else leads there.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(void) {
    char *block = malloc(4);
    block = malloc(8);
    free(block);
    return 0; // memory leak
}
