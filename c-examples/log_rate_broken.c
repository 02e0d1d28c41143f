// expect: unknown
// reason: The rate is computed although no time has passed: a division by zero has no defined meaning, even if nothing uses its result.
// size: small
// optimised: differs: the compiler removes the division, so the program is safe
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void log_rate(int events, int seconds, const char *format, ...) {
    (void)(events / seconds);
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
}

int main(void) {
    log_rate(7, 0, "%d events\n", 7);
    return 0;
}
