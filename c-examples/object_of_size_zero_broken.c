// expect: unsafe
// reason: An object of size 0 has no byte.
// size: small
// optimised: the compiler leaves out the store to a block that is only freed
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *first = malloc(0), *second = malloc(0);
    assert(first != second);
    *first = 1; // out of bounds
    free(first);
    free(second);
    return 0;
}
