// expect: safe
// reason: The product does not fit into `size_t`, so there is no object.
// size: small
// optimised: LLVM drops an allocation that is not used, and assumes that it succeeds
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static volatile size_t count = SIZE_MAX / 2;

int main(void) {
    int *items = calloc(count, sizeof *items);
    assert(!items && errno == ENOMEM);
    assert(!calloc(2, SIZE_MAX));
    return 0;
}
