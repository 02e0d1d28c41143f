// expect: safe
// reason: Each call adds the numbers that it passes, more of them than there are registers for arguments. A copied list starts where the list was.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

/* The sum of numbers, and the first one of them a second time. */
static int sum(int count, ...) {
    va_list numbers, again;
    int total = 0;
    va_start(numbers, count);
    va_copy(again, numbers);
    for (int i = 0; i < count; i++)
        total += va_arg(numbers, int);
    va_end(numbers);
    if (count > 0)
        total += va_arg(again, int);
    va_end(again);
    return total;
}

int main(void) {
    assert(sum(0) == 0);
    assert(sum(1, -4) == -8);
    assert(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 46);
    return 0;
}
