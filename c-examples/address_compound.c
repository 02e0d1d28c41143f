// expect: safe
// reason: Compound literals that are not constant each have a place of their own.
// size: small
// optimised: same
#include <assert.h>

static int *volatile first = (int[]){1, 2};
static int *volatile second = (int[]){1, 2};

int main(void) {
    assert(first != second);
    return 0;
}
