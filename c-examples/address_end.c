// expect: safe
// reason: Elements of different arrays have different addresses, and the end of an array is behind all its elements.
// size: small
// optimised: same
#include <assert.h>

static int here[2], there[2];

int main(void) {
    int *volatile end = here + 2, *volatile other = there;
    int count = 0;
    for (int *element = here; element < end; element++) {
        assert(element != other);
        count++;
    }
    assert(count == 2 && end - here == 2);
    return 0;
}
