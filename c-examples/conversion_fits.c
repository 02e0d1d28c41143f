// expect: safe
// reason: The least int, and what is less by a fraction, can be converted.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    volatile double low = -2147483648.5, high = 2147483647.75;
    volatile float negative = -0.5f;
    assert((int)low == -2147483647 - 1);
    assert((int)high == 2147483647);
    assert((unsigned)negative == 0);
    return 0;
}
