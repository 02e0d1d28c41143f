// expect: safe
// reason: Variables have places of their own, whatever they hold.
// size: small
// optimised: same
#include <assert.h>

static const char whole[] = "xab", tail[] = "ab";

int main(void) {
    const char *volatile here = whole, *volatile there = tail;
    assert(here + 1 != there);
    return 0;
}
