// expect: safe
// reason: A text of the environment of any length is cut to what the buffer has room for.
// size: medium
// optimised: same
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char buffer[8];
    const char *text = getenv("HOME");
    if (!text)
        return 1;
    snprintf(buffer, sizeof buffer, "%.7s", text);
    return 0;
}
