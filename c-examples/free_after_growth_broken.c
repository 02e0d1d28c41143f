// expect: unsafe
// reason: One pointer keeps the old address of a buffer that has grown, and is freed.
// options: --property valid-free
// size: small
// optimised: LLVM takes the second use of a freed address for one that never happens
#include <stdlib.h>

int main(void) {
    int *buffer = malloc(sizeof *buffer);
    int *known = buffer;
    buffer[0] = 1;
    buffer = realloc(buffer, 2 * sizeof *buffer);
    if (!buffer)
        return 1;
    buffer[1] = 2;
    free(known); // double free
    return 0;
}
