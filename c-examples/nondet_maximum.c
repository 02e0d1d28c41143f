// expect: safe
// reason: The maximum of three inputs is one of them and at least as large as each.
// size: medium
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int maximum(int a, int b) { return a > b ? a : b; }

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int m = maximum(a, b);
    assert(m >= a && m >= b);
    assert(m == a || m == b);
    return 0;
}
