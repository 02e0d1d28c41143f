// expect: unknown
// reason: Which of two variables lies before the other is the compiler's and the linker's choice.
// size: small
// optimised: same
#include <assert.h>

static int first, second;

int main(void) {
    int *volatile here = &first, *volatile there = &second;
    assert(here < there);
    return 0;
}
