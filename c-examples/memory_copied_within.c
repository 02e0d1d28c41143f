// expect: safe
// reason: A part of an array is copied behind itself by memcpy: wherever it ends, the blocks do not overlap.
// size: small
// optimised: same
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static char text[16] = "abcdefgh";

static void copy(char *to, const char *from, int length) {
    memcpy(to, from, length);
}

int main(void) {
    int length = __VERIFIER_nondet_int() ? 8 : 3;
    copy(text + 8, text, length);
    assert(text[8] == 'a');
}
