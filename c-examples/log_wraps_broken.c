// expect: unsafe
// reason: The product of 2 and 0x40000001 wraps around, so half of it is not the number.
// size: small
// optimised: differs: the compiler takes for granted that the product does not overflow
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int log_half(int number, const char *format, ...) {
    int half = number * 2 / 2;
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    return half;
}

int main(void) {
    int half = log_half(0x40000001, "half of %d\n", 3);
    assert(half == 0x40000001);
    return 0;
}
