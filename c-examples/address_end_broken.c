// expect: unknown
// reason: The other array may begin where this one ends.
// size: small
// optimised: same
#include <assert.h>

static int here[2], there[2];

int main(void) {
    int *volatile end = here + 2, *volatile other = there;
    assert(end != other);
    return 0;
}
