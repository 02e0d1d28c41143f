// expect: unsafe
// reason: As a `char`, the character 255 looks like the end of the file.
// size: small
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    int next = getchar();
    if (next == EOF)
        return 0;
    assert((char)next != EOF);
    return 0;
}
