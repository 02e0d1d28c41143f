// expect: unknown
// reason: Equal compound literals of constant type may lie in one place.
// size: small
// optimised: same
#include <assert.h>

static const int *volatile first = (const int[]){1, 2};
static const int *volatile second = (const int[]){1, 2};

int main(void) {
    assert(first != second);
    return 0;
}
