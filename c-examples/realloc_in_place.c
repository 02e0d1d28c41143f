// expect: unsafe
// reason: An object that grows may stay where it is.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *items = malloc(sizeof *items);
    uintptr_t old = (uintptr_t)items;
    items = realloc(items, 2 * sizeof *items);
    assert((uintptr_t)items != old);
    free(items);
    return 0;
}
