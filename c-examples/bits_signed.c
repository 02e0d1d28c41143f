// expect: safe
// reason: A signed char of 200 is -56 and is extended with its sign; the same byte as unsigned is
//   extended with zeros; a right shift of a negative number keeps the sign here.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    volatile unsigned char byte = 200;
    signed char s = (signed char)byte;
    assert(s == -56);
    assert((unsigned)s == 0xffffffc8u);
    assert((unsigned)byte == 0xc8u);
    assert(s >> 1 == -28);
    assert(byte >> 1 == 100);
    assert(-7 / 2 == -3 && s % 10 == -6);
    return 0;
}
