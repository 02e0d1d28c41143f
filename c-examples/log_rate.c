// expect: safe
// reason: The rate is computed only if time has passed.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void log_rate(int events, int seconds, const char *format, ...) {
    if (seconds)
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
