// expect: unsafe
// reason: The index may be 3, one beyond the array; the elements themselves are all below 10.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static int numbers[3] = {2, 4, 8};

int main(void) {
    unsigned index = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(index <= 3);
    volatile int *element = &numbers[index];
    int seen = *element; // out of bounds
    assert(index == 3 || seen < 10);
    return 0;
}
