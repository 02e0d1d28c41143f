// expect: safe
// reason: Unsigned arithmetic wraps around at its width, chars are promoted to int first, and a
//   conversion to a narrower type drops the high bits.
// size: medium
// optimised: same
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(x - (x + 1) == 0xffffffffu);
    unsigned char c = (unsigned char)x;
    assert((unsigned char)(c + 1) == (unsigned char)(x + 1));
    assert(c + 1 <= 256);
    assert(x * 2 == x << 1);
    assert((unsigned long)x + x >= x);
    return 0;
}
