// expect: safe
// reason: The first block is freed before its pointer is used for the second one.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(void) {
    char *block = malloc(4);
    free(block);
    block = malloc(8);
    free(block);
    return 0; // memory leak
}
