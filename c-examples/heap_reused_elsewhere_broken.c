// expect: unsafe
// reason: The new block of another statement may lie where the freed one lay.
// size: small
// optimised: LLVM takes for granted that a new block lies where no other one ever lay
#include <assert.h>
#include <stdlib.h>

static void *last;

int main(void) {
    int *kept = malloc(sizeof *kept);
    long *old = malloc(sizeof *old);
    *kept = 1;
    *old = 2;
    last = old;
    free(old);
    short *new = malloc(sizeof *new);
    *new = 3;
    assert((void *)new != last && *kept == 1);
    return 0;
}
