// expect: safe
// reason: The recursion is 5 calls deep; the factorial of 5 is 120.
// options: --recursion 6
// size: small
// optimised: same
#include <assert.h>

static unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

int main(void) {
    volatile unsigned five = 5;
    assert(factorial(five) == 120);
    return 0;
}
