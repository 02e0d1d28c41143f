// expect: unsafe
// reason: The function asks for a third number where the call passes two, which has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...) {
    va_list numbers;
    int total = 0;
    va_start(numbers, count);
    for (int i = 0; i < count; i++)
        total += va_arg(numbers, int); // out of bounds
    va_end(numbers);
    return total;
}

int main(void) {
    int total = sum(3, 1, 2);
    assert(total >= 3);
    return 0;
}
