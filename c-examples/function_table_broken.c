// expect: unsafe
// reason: The square of 10 is 100, which is not below 100.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static unsigned square(unsigned x) { return x * x; }
static unsigned next(unsigned x) { return x + 1; }

static unsigned (*const functions[2])(unsigned) = {square, next};

int main(void) {
    unsigned which = __VERIFIER_nondet_uchar();
    unsigned x = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(which < 2 && x <= 10);
    assert(functions[which](x) < 100);
    return 0;
}
