// expect: unsafe
// reason: The larger block is lost; the smaller one is freed by the function that makes it grow.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(void) {
    char *block = malloc(2);
    block[0] = 1;
    char *larger = realloc(block, 4);
    larger[3] = 1;
    larger = NULL;
    return 0; // memory leak
}
