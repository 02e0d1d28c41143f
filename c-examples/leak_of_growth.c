// expect: safe
// reason: What was moved is freed.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(void) {
    char *block = malloc(2);
    block[0] = 1;
    char *larger = realloc(block, 4);
    larger[3] = 1;
    free(larger);
    return 0; // memory leak
}
