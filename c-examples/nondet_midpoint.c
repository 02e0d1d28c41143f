// expect: safe
// reason: Adding half of the difference to the lower bound cannot wrap around.
// size: medium
// optimised: same
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    unsigned low = __VERIFIER_nondet_uint();
    unsigned high = __VERIFIER_nondet_uint();
    __VERIFIER_assume(low <= high);
    unsigned middle = low + (high - low) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
