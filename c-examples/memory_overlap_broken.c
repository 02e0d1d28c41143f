// expect: unknown
// reason: strcpy must not copy to a place that overlaps with the text.
// size: small
// optimised: same
#include <assert.h>
#include <string.h>

static char text[12] = "abcd";

int main(void) {
    memmove(text + 1, text, 5);
    assert(text[0] == 'a' && text[1] == 'a' && text[4] == 'd' && text[5] == 0);
    strcpy(text + 5, text);
    assert(text[5] == 'a');
}
