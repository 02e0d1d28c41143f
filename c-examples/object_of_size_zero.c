// expect: safe
// reason: Objects of size 0 that live at the same time have different addresses, and can be freed.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *first = malloc(0), *second = malloc(0);
    assert(first != second);
    free(first);
    free(second);
    return 0;
}
