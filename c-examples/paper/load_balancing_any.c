// expect: safe
// reason: As load_balancing.c, for a limit that is an input: every worker counts to it, and the sum wraps around as the product does.
// size: large
// optimised: same
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned limit;

#include "load_balancing.h"

int main(void) {
    limit = __VERIFIER_nondet_uint();
    assert(count_all() == THREADS * limit);
    return 0;
}
