// expect: safe
// reason: A float has 24 binary digits: 2 to the power of 24 plus 1 is rounded to the even neighbour, and a double
//   keeps it.
// size: small
// optimised: same
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int more = __VERIFIER_nondet_int() & 1;
    float narrow = (float)(16777216 + more);
    double wide = 16777216 + more;
    assert(narrow == 16777216.0f);
    assert((int)wide - 16777216 == more);
    return 0;
}
