// expect: safe
// reason: The new block may lie where the freed one lay, but not where a block lies that is never freed.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *kept = malloc(sizeof *kept);
    long *old = malloc(sizeof *old);
    *kept = 1;
    *old = 2;
    free(old);
    short *new = malloc(sizeof *new);
    *new = 3;
    assert((void *)new != (void *)kept && *kept == 1);
    return 0;
}
