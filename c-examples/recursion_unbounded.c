// expect: unknown
// reason: The depth of the recursion is an input, so every limit on it can be reached.
// size: medium
// optimised: -O2 turns the recursion into a loop or a bit test, which leaves a safe program
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned parity(unsigned n) { return n == 0 ? 0 : 1 - parity(n - 1); }

int main(void) {
    assert(parity(__VERIFIER_nondet_uint()) <= 1);
    return 0;
}
