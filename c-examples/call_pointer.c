// expect: safe
// reason: Each call keeps the address of its own variable before it uses it.
// size: small
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int *last;

static void call(void) {
    int own = 1;
    last = &own;
    *last = 2;
    assert(own == 2);
}

int main(void) {
    while (__VERIFIER_nondet_int())
        call();
    return 0;
}
