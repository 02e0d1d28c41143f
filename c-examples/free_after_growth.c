// expect: safe
// reason: All who know the buffer get its new address when it grows.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

int main(void) {
    int *buffer = malloc(sizeof *buffer);
    int *known = buffer;
    buffer[0] = 1;
    buffer = realloc(buffer, 2 * sizeof *buffer);
    if (!buffer)
        return 1;
    buffer[1] = 2;
    known = buffer;
    free(known);
    return 0;
}
