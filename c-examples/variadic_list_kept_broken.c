// expect: unsafe
// reason: The list is read when the function has returned that was passed the arguments, which has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

static va_list kept;

static void keep(int count, ...) {
    va_start(kept, count);
}

int main(void) {
    keep(1, 5);
    int number = va_arg(kept, int); // use after scope
    assert(number == 5);
    return 0;
}
