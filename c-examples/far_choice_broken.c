// expect: unsafe
// reason: One of sixteen ways to choose, the last one, gives the largest sum.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static unsigned table[12];
    unsigned sum = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 12; i++)
            table[i] += i + round;
        unsigned char chosen = __VERIFIER_nondet_uchar() & 3;
        sum += table[1 + chosen];
        table[11 - chosen] = sum;
    }
    assert(sum != 0 && sum <= 12);
    return 0;
}
