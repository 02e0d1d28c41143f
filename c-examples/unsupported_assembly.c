// expect: unknown
// reason: Inline assembly is not read. The assertion behind it holds on every real machine, but
//   that cannot be known.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    int value = 3;
    __asm__ volatile("hlt" : "+r"(value));
    assert(value == 3);
    return 0;
}
