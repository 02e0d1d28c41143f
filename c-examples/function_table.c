// expect: safe
// reason: An input selects a function from a table; all of them map 0 to 9 into 0 to 99.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static unsigned square(unsigned x) { return x * x; }
static unsigned ten_times(unsigned x) { return 10 * x; }
static unsigned complement(unsigned x) { return 9 - x; }

static unsigned (*const functions[3])(unsigned) = {square, ten_times, complement};

int main(void) {
    unsigned which = __VERIFIER_nondet_uchar();
    unsigned x = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(which < 3 && x < 10);
    assert(functions[which](x) < 100);
    return 0;
}
