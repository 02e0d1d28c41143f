// expect: unknown
// reason: A linker may use the end of one string literal for another one.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    const char *volatile here = "xab", *volatile there = "ab";
    assert(here + 1 != there);
    return 0;
}
