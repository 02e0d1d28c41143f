// expect: safe
// reason: The bytes of an integer are seen through a union, the lowest first.
// size: medium
// optimised: same
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

union word {
    unsigned whole;
    unsigned char bytes[4];
    unsigned short halves[2];
};

int main(void) {
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    assert(w.bytes[0] == (w.whole & 0xff));
    assert(w.halves[1] == w.whole >> 16);
    w.bytes[3] = 0;
    assert(w.whole <= 0xffffff);
    return 0;
}
