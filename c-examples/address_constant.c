// expect: safe
// reason: A constant variable lies apart from a string literal with other content.
// size: small
// optimised: same
#include <assert.h>

static const char constant[] = "abc";

int main(void) {
    const char *volatile here = "ab", *volatile there = constant;
    assert(here != there);
    return 0;
}
