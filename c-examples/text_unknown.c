// expect: unknown
// reason: How a pointer is written is up to the library, so how long the text is depends on it.
// size: large
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[4];
    int length = snprintf(text, sizeof text, "%p", (void *)text);
    assert(length >= 4);
    return 0;
}
