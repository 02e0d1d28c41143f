// expect: unsafe
// reason: The pointer is that to the variable of the first call, whose life is over when the second one uses it.
// size: small
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int *first;

static void call(void) {
    int own = 1;
    if (!first)
        first = &own;
    *first = 2; // use after scope
    assert(own == 2);
}

int main(void) {
    while (__VERIFIER_nondet_int())
        call();
    return 0;
}
