// expect: unsafe
// reason: The format asks for text, but the pointer that is passed for it is null, which has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int printed;

static void print(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values); // null pointer
    va_end(values);
    printed++;
}

int main(void) {
    const char *name = 0;
    print("item %d: %s\n", 27, name);
    assert(printed == 1);
    return 0;
}
