// expect: unsafe
// reason: Adding 1 to the largest unsigned number gives 0, which is not larger.
// size: medium
// optimised: same
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(x + 1 > x);
    return 0;
}
