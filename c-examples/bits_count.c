// expect: safe
// reason: Clearing the lowest set bit until nothing is left counts the same bits as looking at all
//   eight of them.
// size: small
// optimised: same
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    int by_clearing = 0;
    for (unsigned char rest = x; rest; rest &= (unsigned char)(rest - 1))
        by_clearing++;
    int by_looking = 0;
    for (int i = 0; i < 8; i++)
        by_looking += (x >> i) & 1;
    assert(by_clearing == by_looking);
    return 0;
}
