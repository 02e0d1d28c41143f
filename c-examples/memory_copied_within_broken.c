// expect: unknown
// reason: Where 8 bytes are copied, the last of them is the first of the place that memcpy copies to.
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
    copy(text + 7, text, length);
    assert(text[7] == 'a');
}
