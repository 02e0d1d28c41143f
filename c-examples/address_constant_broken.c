// expect: unknown
// reason: LLVM may put a string literal into the place of a constant variable with the same content.
// size: small
// optimised: clang puts the literal there, so the assertion fails
#include <assert.h>

static const char constant[] = "ab";

int main(void) {
    const char *volatile here = "ab", *volatile there = constant;
    assert(here != there);
    return 0;
}
