// expect: unsafe
// reason: The object may have moved, and its old memory may not be read.
// size: medium
// optimised: LLVM takes what was written for what is read
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *items = malloc(sizeof *items), *old = items;
    items[0] = 1;
    items = realloc(items, 2 * sizeof *items);
    assert(old[0] == 1); // use after free
    free(items);
    return 0;
}
