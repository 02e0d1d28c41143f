// expect: safe
// reason: The function passes its format and values on to the library, which writes the text that they stand for.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char line[16];

static int write_line(const char *format, va_list values) {
    return vsnprintf(line, sizeof line, format, values);
}

static int print(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = write_line(format, values);
    va_end(values);
    return length;
}

int main(void) {
    int length = print("%s %d%c", "item", 27, '!');
    assert(length == 8);
    assert(strcmp(line, "item 27!") == 0);
    return 0;
}
