// expect: unsafe
// reason: The function goes on with a list that it has ended, which has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

static int second(int count, ...) {
    va_list numbers;
    va_start(numbers, count);
    (void)va_arg(numbers, int);
    va_end(numbers);
    return va_arg(numbers, int); // null pointer
}

int main(void) {
    assert(second(2, 4, 5) == 5);
    return 0;
}
