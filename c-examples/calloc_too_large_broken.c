// expect: unsafe
// reason: The count comes from outside, and the product may not fit into `size_t`: then there is no object.
// size: small
// optimised: LLVM drops the allocation, and takes it for made
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    size_t count = __VERIFIER_nondet_bool() ? 2 : SIZE_MAX / 2;
    int *items = calloc(count, sizeof *items);
    assert(items);
    items[1] = 1;
    assert(items[0] == 0);
    free(items);
    return 0;
}
