// expect: safe
// reason: Two numbers of 3 and 4 characters are a text of 7 characters.
// size: small
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    int length = snprintf(0, 0, "%*d%*d", 3, 1, 4, 1);
    assert(length != -1);
    return 0;
}
