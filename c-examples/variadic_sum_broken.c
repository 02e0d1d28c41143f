// expect: unsafe
// reason: The list is copied behind its first number, so the second one is added twice.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

/* The sum of two numbers or more, and the first one of them a second time. */
static int sum(int count, ...) {
    va_list numbers, again;
    va_start(numbers, count);
    int total = va_arg(numbers, int);
    va_copy(again, numbers);
    for (int i = 1; i < count; i++)
        total += va_arg(numbers, int);
    va_end(numbers);
    total += va_arg(again, int);
    va_end(again);
    return total;
}

int main(void) {
    int total = sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assert(total == 46);
    return 0;
}
