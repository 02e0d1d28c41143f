// expect: safe
// reason: The end of the file is no character, since the number is not stored in a `char` before it is compared.
// size: small
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    int next = getchar();
    if (next == EOF)
        return 0;
    assert(next >= 0 && next <= 255);
    return 0;
}
