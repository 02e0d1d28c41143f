// expect: unknown
// reason: The function is called through a pointer to a function that takes two addresses, which has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

static int first(int count, ...) {
    va_list numbers;
    va_start(numbers, count);
    int number = va_arg(numbers, int);
    va_end(numbers);
    return number;
}

int main(void) {
    int zeros[20] = {0};
    int (*volatile pointer)(int, void *, void *) = (int (*)(int, void *, void *))first;
    assert(first(1, 7) == 7);
    assert(pointer(1, zeros, zeros) == 0);
    return 0;
}
