// expect: safe
// reason: Text moves by one place within its array by memmove, and to another place of the array
//   by strcpy: there the places do not overlap.
// size: small
// optimised: same
#include <assert.h>
#include <string.h>

static char text[12] = "abcd";

int main(void) {
    memmove(text + 1, text, 5);
    assert(text[0] == 'a' && text[1] == 'a' && text[4] == 'd' && text[5] == 0);
    strcpy(text + 6, text);
    assert(text[6] == 'a' && text[10] == 'd' && text[11] == 0);
}
