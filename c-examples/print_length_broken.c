// expect: unknown
// reason: The text would be longer than the result can say, so the call fails. Widths that large are not read.
// size: small
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    int length = snprintf(0, 0, "%*d%*d", 2147483647, 1, 2147483647, 1);
    assert(length != -1);
    return 0;
}
